#!/bin/sh
# Usage: venv.sh [PYTHON]. make calls this to create .venv in this folder, complete or not at all.
# A .venv is kept if it is complete, is still in the folder where it was made, its interpreter still exists, and PYTHON
# names no other. Otherwise it is made again, because what is installed in it works in one place with one interpreter.
set -eu
python=${1:-python3}
which='import os, sys
if sys.version_info < (3, 11): sys.exit("too old")
print(os.path.realpath(sys._base_executable), os.getcwd())'

made_with() { "$1" -c "$which" 2>/dev/null; }

now=$(made_with .venv/bin/python) || now=
if [ ! -f .venv/made ] && .venv/bin/python -m pip --version >/dev/null 2>&1; then
  echo "$now" >.venv/made # made by hand, and complete: keep it
fi
was=
if [ -n "$now" ] && [ -f .venv/made ] && [ "$now" = "$(cat .venv/made)" ]; then
  [ -n "${1:-}" ] || exit 0
  was=$now
fi
wanted=$(made_with "$python") && [ -n "$wanted" ] || {
  echo "fairdeck needs Python 3.11 or newer, and '$python' is older or does not run: name one that you have, such as: make run PYTHON=python3.13" >&2
  exit 1
}
[ "$was" != "$wanted" ] || exit 0
[ ! -e .venv ] || echo "Making .venv again: the old one is incomplete, from another folder, or for another Python."
# PYTHON may be inside the .venv that is deleted here; its base interpreter is not.
base=$("$python" -c 'import sys; print(sys._base_executable)')
version=$("$base" -c 'import sys; print(*sys.version_info[:2], sep=".")')
rm -rf .venv
"$base" -m venv .venv || {
  rm -rf .venv
  echo "The reason above prevented making .venv. On Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
  echo "Then run make again." >&2
  exit 1
}
echo "$wanted" >.venv/made
