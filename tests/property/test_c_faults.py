"""Faults that the front end for C once had are found by random programs if they are put back."""

from __future__ import annotations

import pytest

from paddock.frontends.c.jumps import jumps_of
from paddock.frontends.c.lowering import functions
from tests.property.c_fault_list import BY_NAME, FAULTS, Fault
from tests.property.c_faults import discoveries
from tests.property.c_native import GCC

needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
BUDGET = 2000  # programs of one kind
QUICK = {"discarded": 3, "errno-anywhere": 8, "precondition-ignored": 3}


@needs_gcc
@pytest.mark.parametrize("name", QUICK)
def test_some_faults_are_found_by_few_programs(name: str) -> None:
    assert [found.fault.name for found in discoveries([BY_NAME[name]], QUICK[name])] == [name]


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_found(fault: Fault) -> None:
    assert [found.fault for found in discoveries([fault], BUDGET)] == [fault]


@needs_gcc
def test_nothing_is_found_without_a_fault() -> None:
    none = Fault("none", "nothing is wrong", "memory", (), in_front_end=False)
    assert list(discoveries([none], 2)) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_what_a_fault_replaces_is_there(fault: Fault) -> None:
    with fault.injected():
        pass


def test_a_fault_is_there_only_while_it_is_injected() -> None:
    with BY_NAME["jump-over"].injected():
        assert functions.jumps_of is not jumps_of
    assert functions.jumps_of is jumps_of
