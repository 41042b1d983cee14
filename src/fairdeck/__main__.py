"""Lets ``python -m fairdeck`` do what ``fairdeck`` does."""

import sys

from fairdeck.cli import main

sys.exit(main())
