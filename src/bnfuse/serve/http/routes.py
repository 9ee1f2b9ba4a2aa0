"""All requests in one table, from which the application and its OpenAPI file are made: they cannot drift apart."""

from __future__ import annotations

from typing import Annotated, Literal

from bnfuse.serve.drawing import requests as drawing
from bnfuse.serve.drawing import shapes as drawing_shapes
from bnfuse.serve.http import api, bundles, downloads
from bnfuse.serve.http.describe import change_shapes, meeting_shapes, naming_shapes, school_shapes, shapes
from bnfuse.serve.http.describe.route import Parameter, Route
from bnfuse.serve.http.describe.schemas import Also
from bnfuse.serve.http.entrance import start_page
from bnfuse.serve.http.gate import BUNDLES, SESSION
from bnfuse.serve.jobs.outputs import MADE, WRITTEN
from bnfuse.serve.meeting import requests
from bnfuse.serve.naming import requests as naming
from bnfuse.serve.rows import requests as row_requests
from bnfuse.serve.rows import shapes as row_shapes
from bnfuse.serve.workspace.folder import Listed

_W = "/api/workspaces/{name}"
_LINE = Annotated[int, Also({"minimum": 1, "maximum": 10**15 - 1})]
_ON = Annotated[str, Also({"pattern": r'^(\*|[0-9]{1,15}|"[0-9]{1,15}")$'})]
_SECONDS = Annotated[int, Also({"minimum": 0, "maximum": 60})]
_FILE_NAME = Annotated[str, Also({"minLength": 1})]  # longer ones are shortened
_REVISION = (Parameter("revision", "a line of the history; by default the last", "2", _LINE),)
_FOR_GOOD = (Parameter("for", "what is deleted cannot be brought back", "good", Literal["good"], True),)
_PLACEHOLDERS = "true: uniform tables where there are none, in formats that cannot mark them"
_HTML = ("text/html; charset=utf-8",)
_MEDIA = tuple(dict.fromkeys(one.media for one in (*MADE.values(), *WRITTEN.values())))
_NETWORK = """network north { }
variable Smoker { type discrete [ 2 ] { yes, no }; }
variable Cough { type discrete [ 2 ] { yes, no }; }
probability ( Smoker ) { table 0.3, 0.7; }
probability ( Cough | Smoker ) { (yes) 0.4, 0.6; (no) 0.1, 0.9; }
"""
_LISTED = [{"name": "clinics", "changed": "2026-03-01T12:00:00+00:00", "problem": None}]

_MADE_ON = (Parameter("If-Match", "the revision that it was made on; * in any case", "*", _ON, True),)
_CONFLICTS = {409: meeting_shapes.Conflicts}
_JUDGED = {"source": "Smoker", "target": "Cough", "judgement": "for", "confidence": 80, "reason": "seen in all trials"}

_MEETING = (
    Route("GET", f"{_W}/links", requests.give_links, gives=meeting_shapes.Links),
    Route("GET", f"{_W}/people", requests.list_people, gives=meeting_shapes.Everybody),
    Route(
        "POST",
        f"{_W}/people",
        requests.join_workspace,
        201,
        takes=meeting_shapes.NewPerson,
        body={"name": "Ana"},
        gives=meeting_shapes.Joined,
    ),
    Route("POST", f"{_W}/people/{{person}}/again", requests.let_again, gives=meeting_shapes.Again),
    Route(
        "POST",
        f"{_W}/focus",
        requests.look_at,
        takes=meeting_shapes.Focus,
        body={"arc": ["Smoker", "Cough"]},
        gives=meeting_shapes.Focus,
    ),
    Route("GET", f"{_W}/panels", requests.list_panels, gives=list[meeting_shapes.PanelRow]),
    Route(
        "POST",
        f"{_W}/panels",
        requests.open_panel,
        201,
        takes=meeting_shapes.NewPanel,
        body={"name": "Round 1", "anonymous": True},
        gives=meeting_shapes.PanelRow,
    ),
    Route(
        "POST",
        f"{_W}/panels/{{panel}}/judgements",
        requests.judge,
        takes=meeting_shapes.NewJudgements,
        body=[_JUDGED],
        gives=meeting_shapes.Received,
    ),
    Route(
        "POST",
        f"{_W}/panels/{{panel}}/reveal",
        requests.reveal,
        takes=meeting_shapes.Reveal,
        is_body_needed=False,
        body={"anonymous": True},
        gives=list[meeting_shapes.PanelRow],
    ),
    Route("POST", f"{_W}/panels/{{panel}}/count", requests.count_judgements, gives=meeting_shapes.Counted),
)
_DRAWN = {"name": "Ana", "variables": ["Smoker", {"name": "Cough", "states": ["yes", "no"]}]}
_DRAWING = (
    Route(
        "POST",
        f"{_W}/drawings",
        drawing.draw,
        201,
        takes=drawing_shapes.NewDrawing,
        body=_DRAWN | {"arcs": [["Smoker", "Cough"]]},
        gives=drawing_shapes.Drawn,
    ),
    Route("GET", f"{_W}/drawings/{{input}}", drawing.show_drawing, gives=drawing_shapes.ShownDrawing),
    Route(
        "PATCH",
        f"{_W}/drawings/{{input}}",
        drawing.edit_drawing,
        headers=_MADE_ON,
        takes=drawing_shapes.Edits,
        body={"edits": [{"edit": "arc", "source": "Smoker", "target": "Cough"}]},
        gives=shapes.Told,
        also={409: meeting_shapes.Conflicts, 428: shapes.Error},
    ),
)
ROUTES: tuple[Route, ...] = (
    Route("GET", "/", start_page.show_start, gives=bytes, media=_HTML),
    Route("POST", "/", start_page.enter, gives=bytes, media=_HTML),
    Route("GET", "/w/{name}/", start_page.show_page, gives=bytes, media=_HTML),
    Route("POST", SESSION, start_page.begin_session, 201, gives=shapes.Session),
    Route("GET", "/api/openapi.json", api.describe, gives={"type": "object"}),
    Route("GET", "/api/workspaces", api.list_workspaces, gives=list[Listed], example=_LISTED),
    Route(
        "POST",
        "/api/workspaces",
        api.create_workspace,
        201,
        takes=shapes.NewWorkspace,
        is_body_needed=False,
        body={"name": "clinics"},
        gives=shapes.Named,
        example={"name": "clinics"},
    ),
    Route("PUT", BUNDLES, bundles.open_bundle, 201, takes=bytes, gives=shapes.Named, example={"name": "clinics"}),
    Route("GET", _W, api.look, gives=shapes.Look),
    Route("DELETE", _W, bundles.delete_workspace, 204, query=_FOR_GOOD),
    Route("GET", f"{_W}/bundle", bundles.take_bundle, gives=bytes, media=("application/zip",)),
    Route("GET", f"{_W}/files", bundles.list_files, gives=list[shapes.FileRow]),
    Route(
        "PUT",
        f"{_W}/files",
        api.add_file,
        query=(
            Parameter("name", "the name of the file", "north.bif", _FILE_NAME, True),
            Parameter("as", "if the content does not determine it", "networks", Literal["networks", "tally", "data"]),
        ),
        takes=bytes,
        body=_NETWORK,
        gives=shapes.Added,
        also=_CONFLICTS,
        example={"revision": 2, "added": ["north"], "kind": "networks", "said": []},
    ),
    Route("DELETE", f"{_W}/files/{{file}}", bundles.delete_file, 204, query=_FOR_GOOD),
    Route("GET", f"{_W}/alignment", naming.alignment, gives=naming_shapes.Alignment),
    Route(
        "POST",
        f"{_W}/changes",
        api.change,
        takes=change_shapes.Changes,
        headers=_MADE_ON,
        body={"kind": "set", "field": "max_clique", "value": 3},
        gives=shapes.Told,
        also={409: meeting_shapes.Conflicts, 428: shapes.Error},
    ),
    Route(
        "POST",
        f"{_W}/undo",
        api.undo,
        takes=meeting_shapes.Which,
        is_body_needed=False,
        body={},
        gives=shapes.Told,
        also=_CONFLICTS,
    ),
    Route("POST", f"{_W}/redo", api.redo, gives=shapes.Told, also=_CONFLICTS),
    Route("GET", f"{_W}/history", api.history, gives=list[shapes.Line]),
    Route(
        "POST",
        f"{_W}/solve",
        api.solve,
        202,
        takes=shapes.Wanted,
        body={"effort": "thorough"},
        gives=shapes.Searching,
        example={"revision": 3, "effort": "thorough"},
    ),
    Route("DELETE", f"{_W}/solve", api.stop, gives=shapes.Stopped, example={"revision": 3, "stopped": True}),
    Route("GET", f"{_W}/view", api.view, query=_REVISION, gives=shapes.View),
    Route("GET", f"{_W}/disputes", api.disputes, query=_REVISION, gives=shapes.Disputes),
    Route(
        "GET",
        f"{_W}/frontier",
        api.frontier,
        query=(Parameter("wait", "seconds to wait for it", "30", _SECONDS),),
        gives=shapes.Frontier,
        also={202: shapes.Waiting},
    ),
    Route(
        "GET",
        f"{_W}/schools",
        api.schools,
        query=(
            Parameter("k", "how many; by default a cautious rule chooses", "1", school_shapes.SchoolNumber),
            *_REVISION,
        ),
        gives=school_shapes.FoundSchools,
    ),
    Route(
        "GET",
        f"{_W}/rows",
        row_requests.rows,
        query=(
            Parameter("variable", "whose rows to give, beside those of all tables that differ most", "Cough"),
            *_REVISION,
        ),
        gives=row_shapes.Rows,
    ),
    Route(
        "POST",
        f"{_W}/query",
        api.query,
        takes=shapes.Asked,
        body={"target": "Cough", "evidence": {"Smoker": {"yes": 0.9, "no": 0.3}}, "of": "consensus"},
        gives=shapes.Posterior,
    ),
    Route("GET", f"{_W}/rounds", api.list_rounds, gives=list[shapes.RoundRow]),
    Route(
        "POST",
        f"{_W}/rounds",
        api.freeze,
        201,
        takes=shapes.NewRound,
        body={"name": "before lunch"},
        gives=shapes.Frozen,
    ),
    Route("GET", f"{_W}/rounds/{{before}}..{{after}}", api.compare_rounds, gives=shapes.Compared),
    Route(
        "GET",
        f"{_W}/out/{{kind}}",
        downloads.take,
        query=(Parameter("placeholders", _PLACEHOLDERS, "true", Literal["true", "false"]),),
        gives=bytes,
        media=_MEDIA,
    ),
    *_MEETING,
    *_DRAWING,
    Route("GET", f"{_W}/events", api.events, gives=bytes, media=("text/event-stream",)),
)
