"""What the page does with packed tables, once more: for tests that need no browser."""

import base64
import re

import numpy as np

from bnfuse.report.page_tables import LETTERS


def unpacked(value):
    """The numbers of a packed table."""
    if isinstance(value, str):
        return np.frombuffer(base64.b64decode(value), "<f8")
    if isinstance(value[-1], str):
        distinct, text = unpacked(value[0]), value[1]
        if len(distinct) <= len(LETTERS):
            return distinct[[LETTERS.index(one) for one in text]]
        pairs = zip(text[::2], text[1::2], strict=True)
        return distinct[[LETTERS.index(high) * len(LETTERS) + LETTERS.index(low) for high, low in pairs]]
    return np.array(value, float)


def without_input_tables(html):
    """A page but for the tables of the inputs, which a saved run does not keep."""
    return re.sub(r'"inputs":(null|\[\{"more".*?\]),"inputs_size":\d+', "", html)
