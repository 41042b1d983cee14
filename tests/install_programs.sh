#!/bin/sh
# Installs the programs that the tests need besides Python: Chromium for the page, espeak-ng for the voices, tsc and
# eslint for the page's scripts; called with the word "engines", what only `make long` starts: other browsers. They come
# from the system's packages, if those can be installed. If a program is missing, its tests are skipped and say so; under CI
# they fail.
has() { command -v "$1" >/dev/null; }
missing=""
if [ "$1" = engines ]; then
  target="long" quicker=""
  has firefox-esr || has firefox || missing="firefox-esr"
  has WebKitWebDriver || missing="$missing webkit2gtk-driver"
  has Xvfb || missing="$missing xvfb"
else
  # Chromium without windows opens a page in half the time. Where it cannot be installed, Chromium runs all tests.
  target="test" quicker="chromium-headless-shell"
  has chromium || has chromium-browser || has google-chrome || missing="chromium"
  has espeak-ng || missing="$missing espeak-ng"
  has tsc || missing="$missing node-typescript"
  has eslint || missing="$missing eslint"
fi
[ -z "$missing" ] && { [ -z "$quicker" ] || has $quicker; } && exit 0
if [ "$(id -u)" = 0 ] && has apt-get; then
  install="apt-get install -y -qq --no-install-recommends --no-remove"
  export DEBIAN_FRONTEND=noninteractive
  echo "Installing system packages for the tests: $missing $quicker"
  apt-get update -qq
  # shellcheck disable=SC2086 - one package a word
  [ -z "$missing" ] || ! $install $missing >/dev/null || missing=""
  [ -z "$quicker" ] || $install $quicker >/dev/null 2>&1 || echo "Without $quicker the tests of the page take longer."
fi
[ -z "$missing" ] && exit 0
echo "Missing, and could not be installed: $missing. The tests and checks that need them will not run." >&2
echo "Install them (Debian: sudo apt-get install $missing) and run 'make $target' again." >&2
[ -z "$CI" ]
