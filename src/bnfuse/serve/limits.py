"""The limits on what a client may request: all numbers in one place."""

from __future__ import annotations

from bnfuse._kernel import MOST_IN_ROWS

# A workspace
MOST_FILES = 500
MOST_INPUTS = 2_000
MOST_BYTES_KEPT = 512 << 20
MOST_VARIABLES = MOST_IN_ROWS
MOST_STATES = 10_000  # of one variable
MOST_ROUNDS = 1_000
MOST_CHANGES = 500  # in one request
MOST_ANSWERS = 300  # that are kept; older ones can be searched again
MOST_FRONTIERS = 30  # the same
LONGEST_NAME = 200
LONGEST_NOTE = 10_000
MOST_NOTES = 5_000
MOST_RULES = 20_000  # required and forbidden arcs
MOST_NAMES = 20_000  # decisions on variables and states that inputs name differently
MOST_LABELS = 200_000  # states of all variables of a file that the server remembers
MOST_PEOPLE = 500
MOST_JUDGEMENTS = 5_000  # of rows of tables
LONGEST_PERSON = 60
MOST_JUDGED = 20  # arcs of a private round
LONGEST_REASON = 2_000
DRAWN_VARIABLES = 200  # of a network that somebody draws
DRAWN_ARCS = 2_000
DRAWN_STATES = 50  # of one variable
DRAWN_EDITS = 2_500  # in one request
MOST_DRAWN = 2_000  # versions of all drawings together, each a small file

# The folder
MOST_WORKSPACES = 1_000
MOST_OPEN = 64  # stores at a time: each holds two files open

# A request
MOST_BODY = 64 << 20
MOST_JSON = 1 << 20
MOST_TOKEN = 4 << 10  # of somebody who has no key yet
MOST_UNPACKED = 256 << 20
MOST_CELLS = 1 << 27  # of a table
MOST_BUNDLE = 256 << 20
MOST_HEADERS = 32 << 10
HEADER_SECONDS = 10.0
BODY_SECONDS = 60.0
REST_SECONDS = 1.0  # for the rest of a small request that is refused
SEND_SECONDS = 30.0
IDLE_SECONDS = 30
MOST_CONNECTIONS = 400  # that have shown a token
MOST_STRANGERS = 100  # connections that have not: a new one ends the oldest
MOST_HELD = 256 << 20  # bytes of bodies that are there at the same time
MOST_WAITING = 64  # jobs of one workspace

# Events
MOST_STREAMS = 40  # of one workspace
MOST_EVENTS = 200  # that a slow reader may leave unread
PING_SECONDS = 15

# A worker
MEMORY = 4 << 30
CANCEL_SECONDS = 1.0  # after which a worker that does not stop is ended
SECONDS = {
    **{"read": 60.0, "quick": 120.0, "normal": 900.0, "thorough": 3_600.0, "proof": 3_600.0},
    **{"frontier": 3_600.0, "disputes": 120.0},
}
DISPUTE_SECONDS = 30.0  # after which disputes that were not solved have no costs
PROOF_SECONDS = 3_000  # after which a proof says how far it came, before its worker is stopped
OTHER_SECONDS = 120.0
CACHED_FILES = 600
CACHED_BYTES = 256 << 20
