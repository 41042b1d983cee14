"""How to compile the functions that a kernel calls for every deck, or more often.

Numba counts the references to every array. Its counting is atomic and stalls the pipeline: forty nanoseconds
for a riffle that takes fifteen. Numba removes pairs of counts that cancel, but not around loops or calls.
A function that neither allocates nor returns an array needs no counts, because its caller holds every
reference; such functions are compiled without them.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def inline(function: Function) -> Function:
    """Return a function that is compiled into each kernel that calls it; it may take arrays, but not return any."""
    return cast(Function, njit(cache=True, forceinline=True, _nrt=False)(function))
