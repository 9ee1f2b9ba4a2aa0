"""Methods by which a result is queried, drawn and written like its network."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bnfuse.graphs.distribution import Distribution
    from bnfuse.graphs.network import Network
    from bnfuse.inference.asking.explanations import Explanation
    from bnfuse.inference.asking.information import Informative
    from bnfuse.inference.evidence import Beliefs, Evidence, Interventions


class Asked:
    """The methods of a Consensus that its network answers."""

    if TYPE_CHECKING:

        @property
        def network(self) -> Network:
            """The network that answers."""

    def query(
        self,
        variables: str | Iterable[str],
        given: Evidence | None = None,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> Distribution:
        """Ask the consensus for probabilities: `Network.query` of its `network`.

        Parameters
        ----------
        variables
            A name, or several.
        given
            Findings: a state, several states of which one holds, or a likelihood for each state.
        beliefs
            The distributions that variables are to have.
        do
            The states to which variables are set.

        Returns
        -------
        Distribution
            The probabilities, by state.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.
        TooLargeError
            A table would take too much memory.
        OptionError
            The consensus has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.75, 0.25]})
        >>> result = bnfuse.consensus([coin])
        >>> result.query("Coin")["heads"]
        0.75
        """
        return self.network.query(variables, given, beliefs=beliefs, do=do)

    def most_probable(
        self,
        given: Evidence | None = None,
        of: Iterable[str] | None = None,
        k: int = 1,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> tuple[Explanation, ...]:
        """Ask the consensus for the most probable states: `Network.most_probable` of its `network`.

        Parameters
        ----------
        given
            Findings: a state, several states of which one holds, or a likelihood for each state.
        of
            The variables; by default all whose states are not known.
        k
            How many explanations, at most 100.
        beliefs
            The distributions that variables are to have.
        do
            The states to which variables are set.

        Returns
        -------
        tuple of Explanation
            The explanations, the best first.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.
        TooLargeError
            A table would take too much memory.
        OptionError
            The consensus has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.75, 0.25]})
        >>> result = bnfuse.consensus([coin])
        >>> result.most_probable()[0].states
        {'Coin': 'heads'}
        """
        return self.network.most_probable(given, of, k, beliefs=beliefs, do=do)

    def informative(
        self,
        target: str,
        given: Evidence | None = None,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> tuple[Informative, ...]:
        """Ask the consensus which finding would tell the most: `Network.informative` of its `network`.

        Parameters
        ----------
        target
            The variable to find out about.
        given
            Findings: a state, several states of which one holds, or a likelihood for each state.
        beliefs
            The distributions that variables are to have.
        do
            The states to which variables are set.

        Returns
        -------
        tuple of Informative
            The variables, the most informative first.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.
        TooLargeError
            A table would take too much memory.
        OptionError
            The consensus has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.75, 0.25]})
        >>> result = bnfuse.consensus([coin])
        >>> result.informative("Coin")
        ()
        """
        return self.network.informative(target, given, beliefs=beliefs, do=do)

    def draw(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write a picture of the consensus to a file: SVG, or PNG and PDF by matplotlib.

        Parameters
        ----------
        path
            The file: .svg, .png or .pdf.
        overwrite
            Whether a file other than a picture by bnfuse may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.
        MissingPackageError
            PNG and PDF need matplotlib.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).draw("consensus.svg")
        """
        from bnfuse.report.drawing.picture import Picture  # noqa: PLC0415 - pictures show results
        from bnfuse.report.drawing.plots import draw  # noqa: PLC0415 - as above

        result: Any = self  # a Consensus
        draw(Picture.of_consensus(result), Path(path), overwrite)

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the network of the consensus to a file: `Network.write` of its `network`.

        Parameters
        ----------
        path
            The file, whose extension chooses the format.
        overwrite
            Whether a file that bnfuse did not write may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).write("consensus.csv")
        """
        self.network.write(path, overwrite)
