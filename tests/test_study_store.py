"""The store of a study: what comes back, what is refused, and what a full disk costs."""

import sqlite3
from contextlib import closing
from dataclasses import asdict, replace

import pytest

from bnfuse import FileError
from bnfuse.study import jobs, store
from bnfuse.study.grid import Instance, Job
from tiny_study import TINY


def test_results_come_back_as_they_were_put_in(tmp_path):
    job = Job(Instance("n8", 5, 1, "printed"), 0)
    outcome = jobs.run(job)
    with store.writing(tmp_path, TINY) as there:
        there.add(job, outcome)
        there.add(job, outcome)  # once more changes nothing
    with store.reading(tmp_path) as there:
        assert sorted(map(asdict, outcome.rows), key=str) == sorted(
            (asdict(one.row) for one in there.results()), key=str
        )
        assert there.finished() == {job.key: outcome.seconds}
        assert there.fused_cliques() == {("n8", 5, 1): outcome.rows[0].clique}
        assert there.grid == TINY


def test_a_failure_is_kept_until_the_job_succeeds(tmp_path):
    job = Job(Instance("n8", 5, 1, "printed"), 0)
    with store.writing(tmp_path, TINY) as there:
        there.add_failure(job, "no luck")
        there.add_failure(job, "no luck again")
        assert there.failures() == {job.key: "no luck again"}
        assert there.finished() == {}
        there.add(job, jobs.run(job))
        assert there.failures() == {}
        there.add_failure(job, "too late")
        assert there.failures() == {}
        assert list(there.finished()) == [job.key]


def fill_up(folder, job, outcome):
    with store.writing(folder, TINY) as there:
        there._connection.execute("PRAGMA max_page_count = 1")  # as many pages as there are, and no more
        for seed in range(2, 500):
            there.add(replace(job, instance=replace(job.instance, seed=seed)), outcome)


def test_a_full_disk_loses_nothing_that_is_finished(tmp_path):
    job = Job(Instance("n8", 5, 1, "printed"), 0)
    outcome = jobs.run(job)
    with store.writing(tmp_path, TINY) as there:
        there.add(job, outcome)
    with pytest.raises(FileError, match="the disk is full; make room and run the same command again"):
        fill_up(tmp_path, job, outcome)
    with store.writing(tmp_path, TINY) as there:
        assert job.key in there.finished()
        assert len(there.results()) == len(outcome.rows) * len(there.finished()), "no job is there in part"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("PRAGMA user_version = 7", "is a store of version 7, and this bnfuse knows version 2"),
        ("PRAGMA application_id = 7", "is not a store of a study"),
    ],
)
def test_a_store_of_another_version_or_program_is_refused(change, problem, tmp_path, refused):
    with store.writing(tmp_path, TINY):
        pass
    with closing(sqlite3.connect(tmp_path / store.FILE)) as connection:
        connection.execute(change)
    assert problem in refused("study", "status", str(tmp_path))
    assert problem in refused("study", "run", "-o", str(tmp_path))


def test_a_file_that_is_no_database_is_refused(tmp_path, refused):
    (tmp_path / store.FILE).write_text("value,seconds\n" * 100)
    assert "study.sqlite: is not a store of a study" in refused("study", "tables", str(tmp_path))
    assert "study.sqlite: is not a store of a study" in refused(
        "study", "run", "--preset", "smoke", "-o", str(tmp_path)
    )
    assert (tmp_path / store.FILE).read_text().startswith("value"), "what is not ours stays as it is"


def test_a_study_with_other_settings_is_not_mixed_in(tmp_path):
    with store.writing(tmp_path, TINY):
        pass
    other = store.writing(tmp_path, TINY.changed(seeds=3))
    with pytest.raises(FileError, match=r"holds a study with other settings \(preset tiny\); continue that one"), other:
        pass
    with store.writing(tmp_path, None) as there:
        assert there.grid == TINY


def test_two_runs_cannot_add_to_one_store(tmp_path):
    second = store.writing(tmp_path, TINY)
    with store.writing(tmp_path, TINY), pytest.raises(FileError, match="another run is adding to it"), second:
        pass
