"""The scripts of the pages, in an embedded JavaScript engine, without a browser."""

import quickjs

from fairdeck.explore import HERE
from fairdeck.page.modules import SCRIPTS, joined


def engine_of(page, *modules, helpers=""):
    """Return an engine with these modules of a page that explains, or of all these pages if `page` is empty."""
    context = quickjs.Context()
    context.eval(joined(*modules, folders=(HERE / page, HERE / "scripts", SCRIPTS)) + helpers)
    return context
