"""Whose turn it is, with workers that do nothing: workspaces in turn, clicks first, one worker free for them."""

from __future__ import annotations

import asyncio

import pytest

from bnfuse.serve import limits
from bnfuse.serve.jobs.frames import Frame
from bnfuse.serve.jobs.schedule import Schedule, TooBusyError
from bnfuse.serve.jobs.workers import Job


class Idle:
    """A worker whose jobs end when the test says so."""

    def __init__(self, log):
        self.log, self.last_workspace = log, ""
        self.running = {}

    async def run(self, job):
        self.log.append(job.do)
        self.running[job.do] = asyncio.get_running_loop().create_future()
        await self.running[job.do]
        return Frame({})


class Crew:
    def __init__(self, count, log):
        self.workers = [Idle(log) for _ in range(count)]

    def end(self, job):
        for worker in self.workers:
            if job in worker.running:
                worker.running.pop(job).set_result(None)


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


def scheduled(count, play):
    log = []
    crew = Crew(count, log)

    async def run():
        schedule = Schedule(crew)
        tasks = []

        def ask(workspace, job, in_background=False):
            task = asyncio.ensure_future(schedule.run(workspace, Job(job), in_background))
            tasks.append(task)
            return task

        await play(ask, crew, log)
        while not all(task.done() for task in tasks):
            await settled()
            for job in list(log):
                crew.end(job)
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    return log


def test_workspaces_take_turns():
    async def play(ask, crew, log):
        for i in range(4):
            ask("greedy", f"greedy {i}")
        ask("modest", "modest 0")
        ask("other", "other 0")
        ask("modest", "modest 1")

    assert scheduled(1, play) == ["greedy 0", "greedy 1", "modest 0", "other 0", "greedy 2", "modest 1", "greedy 3"]


def test_one_worker_is_kept_free_of_the_background():
    async def play(ask, crew, log):
        for i in range(3):
            ask(f"{i}", f"long {i}", in_background=True)
        await settled()
        assert log == ["long 0"]
        ask("x", "click")
        await settled()
        assert log == ["long 0", "click"]
        crew.end("click")
        await settled()
        assert log == ["long 0", "click"], "the free worker waits for the next click"
        crew.end("long 0")
        await settled()
        assert log == ["long 0", "click", "long 1"]

    assert sorted(scheduled(2, play)) == ["click", "long 0", "long 1", "long 2"]


def test_who_waits_for_a_click_comes_before_the_background():
    async def play(ask, crew, log):
        ask("a", "first")
        ask("b", "long", in_background=True)
        ask("c", "second")

    assert scheduled(1, play) == ["first", "second", "long"]


def test_what_is_cancelled_while_it_waits_takes_no_turn():
    async def play(ask, crew, log):
        ask("a", "first")
        gone = ask("b", "gone")
        ask("c", "second")
        await settled()
        gone.cancel()
        await settled()

    assert scheduled(1, play) == ["first", "second"]


def test_a_turn_that_comes_as_it_is_cancelled_is_given_on():
    async def play(ask, crew, log):
        ask("a", "first")
        gone = ask("b", "gone")
        ask("c", "second")
        await settled()
        crew.end("first")
        await asyncio.sleep(0)
        gone.cancel()
        await settled()
        assert "second" in log or "gone" in log

    assert scheduled(1, play)[-1] == "second"


def test_a_workspace_has_so_many_jobs_in_the_queue_and_no_more():
    async def play(ask, crew, log):
        asked = [ask("a", f"{i}") for i in range(limits.MOST_WAITING + 5)]
        await settled()
        refused = [one for one in asked if one.done()]
        assert len(refused) == 4, "one runs"
        for one in refused:
            with pytest.raises(TooBusyError, match="are waiting already: try again later"):
                one.result()

    assert len(scheduled(1, play)) == limits.MOST_WAITING + 1


def test_a_workspace_gets_the_worker_that_knows_its_files():
    async def play(ask, crew, log):
        ask("a", "a1")
        ask("b", "b1")
        await settled()
        for job in ("a1", "b1"):
            crew.end(job)
        await settled()
        ask("b", "b2")
        await settled()
        assert [worker.last_workspace for worker in crew.workers if "b2" in worker.running] == ["b"]
        ask("a", "a2")
        await settled()
        assert "a2" in next(worker for worker in crew.workers if worker.last_workspace == "a").running

    assert len(scheduled(2, play)) == 4
