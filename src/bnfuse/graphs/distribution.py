"""A table of probabilities with the names of its variables and states: the answer to a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base import display
from bnfuse._base.public import public
from bnfuse._base.spelling import meant
from bnfuse._base.texts import shown_probability
from bnfuse.errors import EvidenceError, OptionError

SHOWN_ROWS = 40
"""the most lines of a printed distribution: more would not help"""


@public
@dataclass(frozen=True, eq=False, slots=True)
class Distribution:
    """The joint distribution of some variables: the answer to a query.

    An index is a state for each variable, by label; numbers and slices index the array of probabilities, since numpy
    treats a distribution as an array.

    Attributes
    ----------
    variables
        The names.
    states
        The labels of each variable's states.
    probabilities
        An array with an axis for each variable, in their order.

    Examples
    --------
    >>> import bnfuse, numpy as np
    >>> smoker = bnfuse.Distribution(("Smoker",), {"Smoker": ("yes", "no")}, np.array([0.25, 0.75]))
    >>> smoker["yes"]
    0.25
    >>> smoker
    Smoker  probability
    yes          0.2500
    no           0.7500
    """

    variables: tuple[str, ...]
    states: Mapping[str, tuple[str, ...]]
    probabilities: npt.NDArray[np.float64]

    def __getitem__(self, key: Any) -> Any:
        labels = key if isinstance(key, tuple) else (key,)
        if not labels or not all(isinstance(label, str) for label in labels):
            return self.probabilities[key]
        if len(labels) != len(self.variables):
            raise OptionError(
                f"expected a state for each of {', '.join(self.variables)}, got {len(labels)}: {', '.join(labels)}"
            )
        place = tuple(self._number(name, label) for name, label in zip(self.variables, labels, strict=True))
        return float(self.probabilities[place])

    def _number(self, variable: str, label: str) -> int:
        try:
            return self.states[variable].index(label)
        except ValueError:
            known = self.states[variable]
            raise EvidenceError(
                f"variable {variable!r} has no state {label!r}{meant(label, known)}; its states are {', '.join(known)}"
            ) from None

    def items(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Each combination of states, in the order of the array, with its probability.

        Returns
        -------
        iterator of tuple
            The states as a tuple, and the probability.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> list(bnfuse.Distribution(("Coin",), {"Coin": ("heads", "tails")}, np.array([0.5, 0.5])).items())
        [(('heads',), 0.5), (('tails',), 0.5)]
        """
        labels = product(*(self.states[name] for name in self.variables))
        return zip(labels, self.probabilities.ravel().tolist(), strict=True)

    def to_dict(self) -> dict[Any, float]:
        """Probabilities by state or, for several variables, by the tuple of their states.

        Returns
        -------
        dict
            From states to probabilities.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> bnfuse.Distribution(("Coin",), {"Coin": ("heads", "tails")}, np.array([0.5, 0.5])).to_dict()
        {'heads': 0.5, 'tails': 0.5}
        """
        single = len(self.variables) == 1
        return {labels[0] if single else labels: probability for labels, probability in self.items()}

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each variable."""
        return self.probabilities.shape

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.probabilities, dtype) if copy is not False else np.asarray(self.probabilities, dtype)

    def __len__(self) -> int:
        return len(self.probabilities)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.probabilities)

    def __repr__(self) -> str:
        rows = [self.variables, *(labels for labels, _ in islice(self.items(), SHOWN_ROWS))]
        numbers = [
            "probability",
            *(shown_probability(probability) for _, probability in islice(self.items(), SHOWN_ROWS)),
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        right = max(map(len, numbers))
        lines = [
            "  ".join((*(cell.ljust(width) for cell, width in zip(row, widths, strict=True)), number.rjust(right)))
            for row, number in zip(rows, numbers, strict=True)
        ]
        more = self.probabilities.size - SHOWN_ROWS
        return "\n".join([*lines, *([f"and {more:,} more"] if more > 0 else [])])

    def _repr_html_(self) -> str | None:
        return display.html(self)
