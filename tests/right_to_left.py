"""Names in scripts that run from right to left, and texts with them as a reader should get them."""

from bnfuse import DAG, Network

AGE, SMOKING, CANCER, HEART, TURNED, PLAIN = "גיל 2", "עישון", "סרטן ריאות", "قلب", "a\u202eb", "Plain"
NAMES = (AGE, SMOKING, CANCER, HEART, TURNED, PLAIN)
ARCS = ((AGE, SMOKING), (SMOKING, CANCER), (CANCER, HEART), (TURNED, PLAIN))
ISOLATED = {
    # "[" and "]" stand for the characters that isolate.
    "A -> B, 3 arcs": "A -> B, 3 arcs",
    "Größe → 漢字": "Größe → 漢字",
    "עישון -> גיל": "[עישון] -> [גיל]",
    "עישון→גיל 2 → x": "[עישון]→[גיל 2] → x",
    "'סרטן ריאות' has 2": "'[סרטן ריאות]' has 2",
    "drop עישון 2 times": "drop [עישון] 2 times",
    "קלט א.  קלט ב": "[קלט א].  [קלט ב]",
    "قلب  80 %": "[قلب]  80 %",
    "עישון --> גיל --- قلب_3": "[עישון] --> [גיל] --- [قلب_3]",
    "a\u202eb\u2069 → c": "a·b· → c",
    "\U0001e900\U0001e901, \U00010840": "[\U0001e900\U0001e901], [\U00010840]",
}


def networks():
    """Two that agree and one that turns an arc round."""
    turned = ((SMOKING, AGE), *ARCS[1:])
    given = {"מרפאה א": ARCS, "harbour": ARCS, "عيادة": turned}
    return [Network(DAG(NAMES, arcs), name=name) for name, arcs in given.items()]


def marked(text):
    """A text with brackets in the place of the characters that isolate."""
    return text.replace("\u2068", "[").replace("\u2069", "]")
