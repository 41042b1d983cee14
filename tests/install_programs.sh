#!/bin/sh
# Installs the programs that tests need beside Python: a Chromium for the page, espeak-ng for the voices, tsc and eslint
# for the scripts of the page. It takes the system's packages, where it can. Without a program its tests are skipped, and
# say so; under CI they fail.
missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="chromium"
command -v espeak-ng >/dev/null || missing="$missing espeak-ng"
command -v tsc >/dev/null || missing="$missing node-typescript"
command -v eslint >/dev/null || missing="$missing eslint"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing from the system's packages, for the tests: $missing"
  # shellcheck disable=SC2086 - one package a word
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    exit 0
  fi
fi
echo "Not here, and cannot be installed: $missing. Their tests and checks will not run." >&2
echo "Install them (Debian: sudo apt-get install $missing) and call 'make test' again." >&2
[ -z "$CI" ]
