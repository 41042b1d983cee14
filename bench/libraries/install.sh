#!/bin/sh
# Puts what the table needs into build/libraries, and changes nothing else on this machine: packages of npm and PyPI,
# and Debian's packages unpacked without being installed. What cannot be had is left out; the table then says so.
here=$(cd "$(dirname "$0")" && pwd) build=$here/../../build/libraries python=${1:-python3}
mkdir -p "$build/npm" "$build/packages"
has() { command -v "$1" >/dev/null; }

[ -d "$build/npm/node_modules" ] || ! has npm || (cd "$build/npm" && echo '{"private": true}' >package.json &&
    npm install --silent --no-audit --no-fund --ignore-scripts lodash underscore d3-array fast-shuffle knuth-shuffle-seeded \
        array-shuffle random-js remeda chance @faker-js/faker pandemonium radash es-toolkit crypto-shuffle \
        fisher-yates simple-statistics just-shuffle collect.js secure-shuffle gsap @vitest/utils)

[ -d "$build/venv" ] || { "$python" -m venv "$build/venv" &&
    "$build/venv/bin/pip" install --quiet --disable-pip-version-check numpy pandas polars scikit-learn sympy \
        more-itertools faker duckdb jax dask numba tensorflow-cpu grain; }

# The headers of NVIDIA's CCCL, of which Thrust is a part; a wheel is a zip file.
for each in nvidia-cuda-cccl-cu12==12.9.27 nvidia-cuda-cccl==13.3.5.0.6; do
    [ -d "$build/$each" ] || { "$build/venv/bin/pip" download --quiet --no-deps --dest "$build/packages/$each" "$each" &&
        "$python" -m zipfile -e "$build/packages/$each/"*.whl "$build/$each"; }
done

# Unpacks into a folder what this machine lacks of packages and of what they need: debian FOLDER PACKAGE...
debian() {
    into=$build/$1 && shift
    [ ! -e "$into/unpacked" ] && has apt-get && has dpkg || return 0
    mkdir -p "$into" "$into-packages"
    # apt plans an installation without doing it: those are the packages that this machine lacks.
    # shellcheck disable=SC2046 - one package a word
    (cd "$into-packages" &&
        apt-get download -q -q $(apt-get install -s --no-install-recommends "$@" | awk '/^Inst/ {print $2}') &&
        for each in *.deb; do dpkg -x "$each" "$into"; done && touch "$into/unpacked")
}
debian debian clang libc++-dev libc++abi-dev php-cli ruby lua5.4 lua5.1 luajit r-base-core gawk original-awk \
    busybox-static mawk guile-3.0 sbcl ocaml-nox zsh ksh swi-prolog-nox nim tcl libthrust-dev libgsl-dev \
    librust-rand-dev librust-fastrand-dev librust-nanorand-dev libcommons-lang3-java libcommons-math3-java \
    golang-go mono-mcs scala clojure elixir postgresql-15
debian torch python3-torch # with 164 packages that it needs, by themselves: other programs must not find these
# R's settings are made when it is installed.
r=$build/debian/usr/lib/R/etc
[ ! -e "$r/Renviron.ucf" ] || { rm -f "$r/Renviron" && cp "$r/Renviron.ucf" "$r/Renviron"; }
exit 0
