"""The scripts of the pages, in an embedded JavaScript engine, without a browser."""

import json

import quickjs

from fairdeck.explore import HERE, SHOWN
from fairdeck.page.modules import SCRIPTS, joined


def engine_of(page, *modules, helpers=""):
    """Return an engine with these modules of a page that explains, or of all these pages if `page` is empty."""
    context = quickjs.Context()
    built = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in SHOWN.get(page, dict)().items())
    context.eval(joined(*modules, built=built, folders=(HERE / page, HERE / "scripts", SCRIPTS)) + helpers)
    return context
