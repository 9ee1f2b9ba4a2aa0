"""What the page does with its data, once more: for tests that need no browser."""

import base64
import json
import lzma
import re
import zlib
from dataclasses import asdict, is_dataclass

import numpy as np

from bnfuse.report.page.page_tables import LETTERS


def unpacked(value):
    """The numbers of a packed table."""
    value = asdict(value) if is_dataclass(value) else value
    if isinstance(value, str):
        return np.frombuffer(base64.b64decode(value), "<f8")
    if isinstance(value, dict):
        distinct, text = unpacked(value["distinct"]), value["letters"]
        if len(distinct) <= len(LETTERS):
            return distinct[[LETTERS.index(one) for one in text]]
        pairs = zip(text[::2], text[1::2], strict=True)
        return distinct[[LETTERS.index(high) * len(LETTERS) + LETTERS.index(low) for high, low in pairs]]
    return np.array(value, float)


_DATA = re.compile(r'<script type="text/plain" id="data">(.*?)</script>')


_LZMA = {"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 0, "dict_size": 2**26}


def _text(found):
    return zlib.decompress(base64.b64decode(found[1]), -zlib.MAX_WBITS).decode()


def unpacked_text(packed):
    """Of a script or a style sheet."""
    content = base64.b85decode(packed.replace(",", "<"))
    length = int.from_bytes(content[:4], "big")
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[_LZMA]).decompress(content[4:], length).decode()


def embedded(html):
    """The data of a page."""
    return with_names(plain_data(html))


def plain_data(html):
    """The data of a page as they are written."""
    return json.loads(_text(_DATA.search(html)))


def with_names(value):
    """What is written as tables, as lists or dicts of objects."""
    if isinstance(value, dict) and value.keys() == {"fields", "rows"}:
        rows = value["rows"]
        return (
            {key: _record(value, row) for key, row in rows.items()}
            if isinstance(rows, dict)
            else [_record(value, row) for row in rows]
        )
    if isinstance(value, dict):
        return {key: with_names(one) for key, one in value.items()}
    return [with_names(one) for one in value] if isinstance(value, list) else value


def _record(table, row):
    return None if row is None else dict(zip(table["fields"], map(with_names, row), strict=True))


def packed_style(html):
    """The style sheets of what scripts make."""
    return unpacked_text(re.search(r'id="packed-style">(.*?)</script>', html)[1])


def with_plain_data(html):
    """A page for modules that stand apart: its data are JSON, as after unpacking."""
    return _DATA.sub(lambda found: found[0].replace(found[1], _text(found)), html)


def without_input_tables(html):
    """A page, its data unpacked, but for the tables of the inputs, which a saved run does not keep."""
    own = r'"inputs":(null|\{"fields":\["more".*?\]\}),"inputs_size":\d+'
    return re.sub(own, "", with_plain_data(html))
