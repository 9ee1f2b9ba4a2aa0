"""What the page does with packed tables, once more: for tests that need no browser."""

import base64
import json
import re
import zlib

import numpy as np

from bnfuse.report.page.page_tables import LETTERS


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


_DATA = re.compile(r'<script type="text/plain" id="data">(.*?)</script>')


def _text(found):
    return zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS).decode()


def embedded(html):
    """The data of a page."""
    return json.loads(_text(_DATA.search(html)))


def packed_style(html):
    """The style sheets of what scripts make."""
    return _text(re.search(r'id="packed-style">(.*?)</script>', html))


def with_plain_data(html):
    """A page for modules that stand apart: its data are JSON, as after unpacking."""
    return _DATA.sub(lambda found: found[0].replace(found[1], _text(found)), html)


def without_input_tables(html):
    """A page, its data unpacked, but for the tables of the inputs, which a saved run does not keep."""
    return re.sub(r'"inputs":(null|\[\{"more".*?\]),"inputs_size":\d+', "", with_plain_data(html))
