"""Names that look alike but mean the opposite: hyper and hypo, left and right, typical and atypical."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache

from bnfuse._base.spelling import letters, shared_letters, words

# Morphemes between two bars exclude each other: words, and beginnings or endings of words.
_CONTRARIES = """
    hyper hypo | tachy brady | macro micro | mono poly | homo hetero | endo exo | ecto endo
    sub super supra | ab ad | pre post peri | ante post | pro anti | inter intra | intra extra | over under
    in ex out | afferent efferent | typical atypical | normal abnormal | regular irregular | acute chronic
    benign malignant | primary secondary | maternal paternal | mother father | mum dad | mom dad
    male female | man woman | boy girl | son daughter | m f | brother sister | husband wife | parent child
    left right | l r | lt rt | lhs rhs | upper lower | up down | top bottom | inner outer | front back
    anterior posterior | ventral dorsal | proximal distal | medial lateral | superior inferior
    cranial caudal | horizontal vertical | north south | east west | internal external | interior exterior
    inhale exhale | inspire expire | include exclude | inspiratory expiratory | input output | import export
    entry exit | arrival departure | admission discharge | systolic diastolic | sys dia | sbp dbp
    arterial venous | artery vein | atrial ventricular | red white | min max | minimum maximum
    minimal maximal | high low | hi lo | higher lower | highest lowest | large small | big small
    long short | tall short | wide narrow | thick thin | heavy light | strong weak | fast slow | hot cold
    warm cold | wet dry | hard soft | rich poor | good bad | better worse | best worst | major minor
    majority minority | increase decrease | increased decreased | increasing decreasing | rise fall
    rising falling | gain loss | win loss | profit loss | plus minus | positive negative | pos neg
    true false | yes no | present absent | presence absence | on off | open closed | start stop | start end
    begin end | first last | first second | before after | early late | prior posterior | old new
    young old | day night | am pm | morning evening | summer winter | birth death | alive dead
    baseline followup | expected observed | predicted observed | planned actual | case control
    treatment control | cause effect | source target | source sink | sender receiver | buy sell
    buyer seller | supply demand | debit credit | accept reject | pass fail | agonist antagonist | acid base
    anode cathode | active passive | public private | urban rural | local global | local remote
    senior junior | odd even | full empty | ascending descending | numerator denominator | ful less | er ee
    or ee
"""
# Before a word, as a separate word, and after a word.
_NEGATIONS = "a ab an anti contra counter de dis dys il im in ir mal mis no non not un without"
_NEGATING_WORDS = "absence anti dis free lack less never no non not un without"
_NEGATING_ENDINGS = "less free"
# Words between two words that show which is which.
_RELATIONS = "after before by causes from given minus over per than to under versus vs"

_LEAST_REST = 3  # letters that two words share apart from a morpheme
_SHORT = 2  # letters of a morpheme with which many words begin by chance
_ALIKE, _VERY_ALIKE = 0.75, 0.85


def _contraries() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for group in _CONTRARIES.replace("\n", "|").split("|"):
        for one in group.split():
            found[one] |= {other for other in group.split() if other != one}
    return dict(found)


CONTRARIES = _contraries()
_LONGEST = max(map(len, CONTRARIES))
NEGATIONS, NEGATING_ENDINGS = tuple(_NEGATIONS.split()), tuple(_NEGATING_ENDINGS.split())
NEGATING_WORDS, RELATIONS = frozenset(_NEGATING_WORDS.split()), frozenset(_RELATIONS.split())


@lru_cache(maxsize=1 << 16)
def opposed(one: str, other: str) -> str | None:
    """Why two names mean the opposite of each other, such as "hyper, hypo"; None if they do not."""
    if (mine := _marks(one)) != (theirs := _marks(other)):
        return f"{mine or 'no sign'}, {theirs or 'no sign'}"
    if letters(one) == letters(other):
        return None
    here, there = Counter(words(one)), Counter(words(other))
    if here == there:
        return next(iter(sorted(RELATIONS & here.keys())), None) if words(one) != words(other) else None
    more, less = sorted(here - there), sorted(there - here)
    for a in more:
        for b in less:
            if found := _contrary(a, b):
                return found
    if negating := NEGATING_WORDS.intersection(more) ^ NEGATING_WORDS.intersection(less):
        return min(negating)
    return _contrary(letters(one), letters(other))


def _marks(name: str) -> str:
    """The signs that tell HER2+ from HER2-, t+1 from t-1, and X' from X; a hyphen within a name is not one."""
    text = name.strip().strip("()[]")
    plus = "+" if "+" in text else ""
    minus = "-" if text.endswith(("-", "\u2212")) else ""
    prime = "'" if text.endswith(("'", "\u2032")) and not text.startswith("'") else ""
    return plus + minus + prime


def _contrary(one: str, other: str) -> str | None:
    """The morphemes by which two words differ, if these exclude each other."""
    for size in range(min(_LONGEST, len(one)), 0, -1):
        for start in CONTRARIES.get(one[:size], ()):
            if other.startswith(start) and _is_rest(one[size:], other[len(start) :], min(size, len(start))):
                return f"{one[:size]}, {start}"
        for end in CONTRARIES.get(one[-size:], ()):
            rests = one[:-size], other[: len(other) - len(end)]
            if other.endswith(end) and _is_rest(*rests, min(size, len(end))):
                return f"{one[-size:]}, {end}"
    shorter, longer = sorted((one, other), key=len)
    for negation in NEGATIONS:
        if longer.startswith(negation) and _is_negated(shorter, longer, longer[len(negation) :]):
            return f"{negation}-"
    for ending in NEGATING_ENDINGS:
        if longer.endswith(ending) and _is_negated(shorter, longer, longer[: -len(ending)]):
            return f"-{ending}"
    return None


def _is_rest(one: str, other: str, morpheme: int) -> bool:
    """Whether two words are the same except for a morpheme of this many letters, with at most one typing error."""
    if one == other and (not one or morpheme > _SHORT):
        return True
    if morpheme == 1:
        return False
    least = _LEAST_REST if morpheme > _SHORT else _LEAST_REST + 1
    return min(len(one), len(other)) >= least and shared_letters(one, other) >= _ALIKE


def _is_negated(word: str, longer: str, rest: str) -> bool:
    """Whether a longer word is a shorter one with a negation, or its remainder, rather than a typing error in it."""
    if word == rest:
        return len(rest) >= _LEAST_REST
    alike = shared_letters(word, rest)
    return len(rest) > _LEAST_REST and alike >= _VERY_ALIKE and alike > shared_letters(word, longer)
