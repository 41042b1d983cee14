#!/bin/sh
# Usage: venv.sh [PYTHON]. Makes .venv in this folder, whole or not at all; called by make.
# A .venv stays as it is if it was finished, lies where it was made, its interpreter is still there, and no other
# PYTHON is asked for. Otherwise it is made anew, since what is installed in it belongs to one place and interpreter.
set -eu
python=${1:-python3}
which='import os, sys
if sys.version_info < (3, 11): sys.exit("too old")
print(os.path.realpath(sys._base_executable), os.getcwd())'

made_with() { "$1" -c "$which" 2>/dev/null; }

now=$(made_with .venv/bin/python) || now=
if [ ! -f .venv/made ] && .venv/bin/python -m pip --version >/dev/null 2>&1; then
  echo "$now" >.venv/made # made by hand, and whole: it will do
fi
was=
if [ -n "$now" ] && [ -f .venv/made ] && [ "$now" = "$(cat .venv/made)" ]; then
  [ -n "${1:-}" ] || exit 0
  was=$now
fi
wanted=$(made_with "$python") && [ -n "$wanted" ] || {
  echo "fairdeck needs Python 3.11 or newer, and '$python' is not: name one, as in: make run PYTHON=python3.12" >&2
  exit 1
}
[ "$was" != "$wanted" ] || exit 0
[ ! -e .venv ] || echo "Making .venv anew: the one here is unfinished, from another folder, or of another Python."
# PYTHON may lie in the .venv that goes; what that one was made with does not.
base=$("$python" -c 'import sys; print(sys._base_executable)')
version=$("$base" -c 'import sys; print(*sys.version_info[:2], sep=".")')
rm -rf .venv
"$base" -m venv .venv || {
  rm -rf .venv
  echo "No .venv was made, for the reason above. On Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
  echo "Then call make again." >&2
  exit 1
}
echo "$wanted" >.venv/made
