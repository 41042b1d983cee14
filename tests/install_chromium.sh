#!/bin/sh
# Sees to a Chromium for the browser tests: the system's own, installed where that can be done.
# Without one the browser tests are skipped, and say so; under CI they fail.
if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium from the system's packages for the browser tests ..."
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; then
    exit 0
  fi
fi
echo "No Chromium here, and it cannot be installed: the browser tests will not run." >&2
echo "Install the package 'chromium' (Debian: sudo apt-get install chromium) and call 'make test' again." >&2
[ -z "$CI" ]
