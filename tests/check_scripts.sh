#!/bin/sh
# Checks the types and the style of the page's scripts, with Node's programs from the system's packages.
for program in tsc eslint; do
  command -v $program >/dev/null && continue
  echo "$program is not here, so the page's scripts are not checked (Debian: apt-get install node-typescript eslint)." >&2
  [ -z "$CI" ]
  exit
done
# A Node that is not Debian's own does not look for Debian's modules by itself.
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}"
tsc -p . && eslint --format unix src/fairdeck/page/scripts src/fairdeck/page/site src/fairdeck/explore
