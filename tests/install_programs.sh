#!/bin/sh
# Installs the programs that the tests need besides Python: Chromium for the page, espeak-ng for the voices, tsc and
# eslint for the page's scripts. They come from the system's packages, if those can be installed. If a program is missing,
# its tests are skipped and say so; under CI they fail.
missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="chromium"
command -v espeak-ng >/dev/null || missing="$missing espeak-ng"
command -v tsc >/dev/null || missing="$missing node-typescript"
command -v eslint >/dev/null || missing="$missing eslint"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing system packages for the tests: $missing"
  # shellcheck disable=SC2086 - one package a word
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    exit 0
  fi
fi
echo "Missing, and could not be installed: $missing. The tests and checks that need them will not run." >&2
echo "Install them (Debian: sudo apt-get install $missing) and run 'make test' again." >&2
[ -z "$CI" ]
