"""Where interpolants come from: solvers that can make them, behind one interface."""
