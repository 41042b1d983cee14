"""How to compile what a kernel calls for every deck, or oftener.

Numba counts who holds an array, lest it be freed too early. No two threads may count at once, so each
count stops whatever the processor has begun: forty nanoseconds for those of a riffle that takes fifteen.
Numba leaves out the counts that it can see to be in vain, but not around loops or calls. A function
that neither makes nor returns an array holds none that its caller does not; so in these nothing is counted.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def inner(function: Function) -> Function:
    """Return a function that becomes part of the kernel which calls it; it may take arrays, but not return any."""
    return cast(Function, njit(cache=True, forceinline=True, _nrt=False)(function))
