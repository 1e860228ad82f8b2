"""Stand-ins for the spaces of Gymnasium, with the attributes that the adapters need, where it is not installed."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy


class _Space:
    def __init__(self) -> None:
        self._random = numpy.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Starts the random numbers of `sample`."""
        self._random = numpy.random.default_rng(seed)


class Discrete(_Space):
    """The whole numbers from 0 to n - 1."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n, self.shape, self.dtype = n, (), numpy.dtype(numpy.int64)

    def contains(self, x: Any) -> bool:
        """True if x is one of the numbers."""
        return numpy.ndim(x) == 0 and 0 <= int(x) < self.n

    def sample(self, mask: Any = None) -> Any:
        """A number at random, of those that the mask allows."""
        return self._random.choice(self.n if mask is None else numpy.flatnonzero(mask))


class MultiDiscrete(_Space):
    """Vectors of whole numbers, each below its own bound."""

    def __init__(self, nvec: Sequence[int]) -> None:
        super().__init__()
        self.nvec = numpy.asarray(nvec)
        self.shape, self.dtype = self.nvec.shape, numpy.dtype(numpy.int64)

    def contains(self, x: Any) -> bool:
        """True if x is such a vector."""
        return numpy.shape(x) == self.shape and bool(((numpy.asarray(x) >= 0) & (numpy.asarray(x) < self.nvec)).all())

    def sample(self) -> Any:
        """A vector at random."""
        return self._random.integers(self.nvec)


class MultiBinary(_Space):
    """Arrays of zeros and ones."""

    def __init__(self, n: Union[int, Sequence[int]]) -> None:
        super().__init__()
        self.n, self.shape = n, (n,) if isinstance(n, int) else tuple(n)
        self.dtype = numpy.dtype(numpy.int8)

    def contains(self, x: Any) -> bool:
        """True if x is such an array."""
        return numpy.shape(x) == self.shape and bool(numpy.isin(x, (0, 1)).all())

    def sample(self) -> Any:
        """An array at random."""
        return self._random.integers(0, 2, self.shape, dtype=self.dtype)


class Dict(_Space):
    """Named spaces."""

    def __init__(self, spaces: dict[str, Any]) -> None:
        super().__init__()
        self.spaces = spaces

    def __getitem__(self, key: str) -> Any:
        return self.spaces[key]

    def contains(self, x: Any) -> bool:
        """True if each part is in its space."""
        return set(x) == set(self.spaces) and all(self.spaces[key].contains(x[key]) for key in x)
