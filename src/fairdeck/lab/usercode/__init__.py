"""Code that users hand over: found, adapted, run in a process of its own, its random numbers intercepted."""
