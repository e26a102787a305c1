"""Compiled code is kept on disk where that can be done, and works where it cannot."""

import numba

from core.sweep.compiled import compiled


def test_without_a_place_for_the_cache_functions_are_compiled_all_the_same(monkeypatch):
    compile_ = numba.njit

    def nowhere_to_write(*functions, **settings):
        if settings.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return compile_(*functions, **settings)

    monkeypatch.setattr(numba, "njit", nowhere_to_write)
    assert compiled(lambda x: x + 1)(2) == 3
