"""The names of options and remedies in messages of the library, for the app, whose users see no Python or terminal."""

from __future__ import annotations

WORDS = {
    "bnfuse.align(networks)": "the table of names",
    "bnfuse.consensus takes": "the setting Variables allows",
    'variables="union"': '"all of any input"',
    "shared": '"those that all share"',
    "variables": "the setting Variables",
    "directions": "Arcs may run",
    "max_clique": "the largest clique",
    "max_table": "the largest clique table",
    "metric": "the distance",
    "states": "a network with states",
    "names": "bnfuse consensus --names",
    'cyclic="votes"': "bnfuse convert FILE votes.csv --cyclic votes writes a file that can be added",
    "placeholders=True": "?placeholders=true at the end of the address",
    "na": "the file as an empty cell",
    "weights": "the weights",
    "k": "the number of schools",
}
"""For `spelled`, in workers."""
