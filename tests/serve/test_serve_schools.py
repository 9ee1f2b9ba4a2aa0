"""The schools among the inputs of a workspace, as a page to take away."""

import pytest

import bnfuse
from bnfuse.report.schools_page import schools_page
from bnfuse.serve.jobs.outputs import MADE, made
from running import CLINICS


def test_the_page_is_that_of_the_library():
    clinics = bnfuse.read(*CLINICS)
    page = made(bnfuse.consensus(clinics, effort="quick"), "schools", "clinics", placeholders=False)
    expected = schools_page(bnfuse.schools(clinics, effort="quick"))
    assert page.decode().split("<footer")[0] == expected.split("<footer")[0]
    assert MADE["schools"].ending == "-schools.html"


def test_what_has_no_schools_is_refused():
    tally = bnfuse.Tally(["A", "B"])
    tally.add(bnfuse.DAG(["A", "B"]))
    with pytest.raises(bnfuse.OptionError, match="tally has only counts"):
        made(bnfuse.consensus(tally), "schools", "clinics", placeholders=False)


@pytest.mark.long
def test_the_schools_can_be_taken_away(server):
    clinics = server.workspace("clinics")
    server.answered(clinics)
    status, content, headers = server.request("GET", f"{clinics}/out/schools")
    assert status == 200
    assert headers["content-disposition"].startswith('attachment; filename="clinics-schools.html"')
    assert b"1 school of thought among 5 inputs" in content
