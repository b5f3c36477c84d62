"""One question to Z3 that is written as an SMT-LIB script."""

from __future__ import annotations

from paddock.solvers.z3.context import Z3Context

_UNSAT = -1


def is_refuted(script: str, seconds: float) -> bool:
    """Whether Z3 sees in this time that what a script asserts cannot be met."""
    context = Z3Context()
    bound = context.bound
    solver, parameters = bound("mk_solver", "pp")(), bound("mk_params", "pp")()
    bound("solver_inc_ref", "-pp")(solver)
    bound("params_inc_ref", "-pp")(parameters)
    try:
        bound("params_set_uint", "-pppu")(parameters, context.symbol("timeout"), max(1, int(seconds * 1000)))
        bound("solver_set_params", "-ppp")(solver, parameters)
        bound("solver_from_string", "-pps")(solver, script.encode())
        return not context.errors and bound("solver_check", "ipp")(solver) == _UNSAT and not context.errors
    finally:
        bound("params_dec_ref", "-pp")(parameters)
        bound("solver_dec_ref", "-pp")(solver)
        context.free()
