"""The request for rows of tables."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.serve.http.api import answered_job, name_of, revision_of, service_of
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.meeting.items import row_key
from bnfuse.serve.rows.comparing import checked_variable
from bnfuse.serve.service import known_answer
from bnfuse.serve.workspace.store import WorkspaceStore


async def rows(request: Request) -> Response:
    """Rows of tables, with the distributions of inputs and people: those that differ most, and all of a variable.

    They are compared on every request.
    """
    variable = checked_variable(request.query_params.get("variable"))
    name, service = name_of(request), service_of(request)
    now, _ = await known_answer(service, name, revision_of(request))
    frame = await answered_job(request, "rows", {"variable": variable}, now.revision)
    changes = await service.folder.use(name, WorkspaceStore.last_changes)

    def timed(one: dict[str, Any]) -> dict[str, Any]:
        judgement = RowJudgement(one["variable"], one["given"], one["probabilities"], one["cases"], one["by"])
        return one | {"time": changes.get(row_key(judgement), {}).get("time", "")}

    facts = frame.facts | {"unused": [timed(one) for one in frame.facts["unused"]]}
    for part in ("disputed", "rows"):
        facts[part] = [one | {"judgements": [timed(own) for own in one["judgements"]]} for one in facts[part]]
    return Reply({"revision": now.revision, "key": now.question.key, **facts})
