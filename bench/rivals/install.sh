#!/bin/sh
# Puts the other tests into build/rivals, and changes nothing else on this machine: packages of PyPI in an environment of
# their own, and dieharder of Debian, unpacked without being installed. What cannot be had is left out; the page says so.
here=$(cd "$(dirname "$0")" && pwd) build=$here/../../build/rivals python=${1:-python3}
mkdir -p "$build/packages"

[ -d "$build/venv" ] || { "$python" -m venv "$build/venv" &&
    for each in scikit-learn==1.9.1 sp80022suite==0.0.8; do # by themselves: the second one needs a compiler
        "$build/venv/bin/pip" install --quiet --disable-pip-version-check "$each"
    done; }

if [ ! -d "$build/debian" ] && command -v apt-get dpkg >/dev/null; then
    # apt plans an installation without doing it: those are the packages that this machine lacks.
    # shellcheck disable=SC2046 - one package a word
    (cd "$build/packages" &&
        apt-get download -q -q $(apt-get install -s --no-install-recommends dieharder | awk '/^Inst/ {print $2}') &&
        for each in *.deb; do dpkg -x "$each" "$build/debian"; done)
fi
exit 0
