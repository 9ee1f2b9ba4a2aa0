"""Worker processes: cancelled, killed, too slow, too greedy; what comes back is one line, and the next job is done."""

from __future__ import annotations

import asyncio
import json
import os
import signal

import pytest

from bnfuse import BnfuseError
from bnfuse.serve import limits
from bnfuse.serve.jobs.frames import packed, sizes, unpacked
from bnfuse.serve.jobs.workers import Crew, DiedError, Job
from bnfuse.serve.workspace.state import Input, State

VARIABLES = [f"X{i}" for i in range(40)]


def edges(k):
    pairs = ((i, j) for i in range(40) for j in range(i + 1, 40))
    return [[VARIABLES[i], VARIABLES[j]] for i, j in pairs if (i * j + k) % 9 == 0]


MANY = json.dumps(
    {"variables": VARIABLES, "networks": [{"name": f"n{k}", "edges": edges(k)} for k in range(12)]}
).encode()
QUESTION = State(tuple(Input(f"{k}", f"n{k}", "f", k) for k in range(12)))
SMALL = b"from,to\nA,B\nB,C\n"


def read(name="small.csv", content=SMALL, **more):
    return Job("read", {"name": name, "as": None}, (content,), **more)


def solve(effort, progress=None):
    facts = {"name": "many.json", "kind": "networks", "size": len(MANY), "sha256": "0"}
    inputs = [{"name": one.name} for one in QUESTION.inputs]

    async def contents(ids):
        return [MANY for _ in ids]

    given = {
        "question": QUESTION.to_json(),
        "files": {"f": facts},
        "facts": {"f": facts | {"inputs": inputs}},
        "effort": effort,
        "layout": None,
        "threads": 1,
    }
    return Job("solve", given, (), contents, progress)


@pytest.fixture(scope="module")
def play():
    """Runs a coroutine with a worker, which is the same for all tests."""
    with asyncio.Runner() as runner:
        crew = runner.run(begun())
        yield lambda story: runner.run(story(crew.workers[0]))
        runner.run(crew.end())


async def begun():
    crew = Crew(1)
    await crew.start()
    return crew


def test_a_message_comes_out_as_it_went_in():
    facts, parts = {"a": [1, "\u2028"]}, [b"", b"\0" * 70_000, b"x"]
    whole = packed(facts, parts)
    text, body = sizes(whole[:8])
    assert unpacked(whole[8 : 8 + text], whole[8 + text :]) == (facts, tuple(parts))
    assert len(whole) == 8 + text + body


def test_a_worker_does_one_job_after_the_other(play):
    async def story(worker):
        for _ in range(3):
            frame = await worker.run(read())
            assert frame.facts["variables"] == ["A", "B", "C"]
        with pytest.raises(BnfuseError, match=r"^odd.bif:1:10: "):
            await worker.run(read("odd.bif", b"variable {"))
        return await worker.run(read())

    assert play(story).facts["kind"] == "networks"


def test_a_search_is_cancelled_at_once_and_the_worker_stays(play):
    async def story(worker):
        pid = (await worker.start()).pid
        begun = asyncio.Event()
        task = asyncio.ensure_future(worker.run(solve("thorough", lambda facts: begun.set())))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await worker.run(read())).facts["kind"] == "networks"
        return pid == worker.pid

    assert play(story), "it was not killed"


def test_a_job_that_is_cancelled_while_it_starts_is_not_done(play):
    async def story(worker):
        for turns in (0, 1, 2, 5, 20):
            task = asyncio.ensure_future(worker.run(solve("quick")))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return await worker.run(read())

    assert play(story).facts["kind"] == "networks"


def test_a_worker_that_dies_is_replaced(play):
    async def story(worker):
        begun = asyncio.Event()
        task = asyncio.ensure_future(worker.run(solve("thorough", lambda facts: begun.set())))
        await begun.wait()
        os.kill(worker.pid, signal.SIGKILL)
        with pytest.raises(DiedError, match="a worker process ended while it worked on this; another one is in its"):
            await task
        return await worker.run(read())

    assert play(story).facts["kind"] == "networks"


def test_a_worker_that_dies_between_two_jobs_is_replaced(play):
    async def story(worker):
        process = await worker.start()
        process.kill()
        await process.wait()
        return await worker.run(read())

    assert play(story).facts["kind"] == "networks"


def test_a_job_that_takes_too_long_is_stopped(play, monkeypatch):
    async def story(worker):
        job = solve("thorough")
        with pytest.raises(BnfuseError, match=r"^this took more than 0.05 seconds, and was stopped$"):
            await worker.run(Job(job.do, job.facts, (), job.contents, seconds=0.05))
        return await worker.run(read())

    assert play(story).facts["kind"] == "networks"


def test_a_worker_that_does_not_listen_is_ended(play, monkeypatch):
    monkeypatch.setattr(limits, "CANCEL_SECONDS", 0.05)

    async def story(worker):
        pid = (await worker.start()).pid
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(BnfuseError, match="this took more than"):
            await worker.run(read(seconds=0.05))
        assert (await worker.run(read())).facts["kind"] == "networks"
        return worker.pid != pid

    assert play(story)


def test_memory_has_a_limit(play):
    async def story(worker):
        process = await worker.start()
        for _ in range(3_000):  # it sets its limit itself, once it runs
            with open(f"/proc/{process.pid}/limits") as file:
                line = next(line for line in file if line.startswith("Max address space"))
            if line.split()[3] != "unlimited":
                break
            await asyncio.sleep(0.02)
        return int(line.split()[3])

    assert play(story) == limits.MEMORY


def test_workers_end_with_the_server(play):
    async def story(worker):
        process = await worker.start()
        assert process.stdin is not None
        process.stdin.close()  # as when the server is killed
        return await asyncio.wait_for(process.wait(), 30)

    assert play(story) == 0
