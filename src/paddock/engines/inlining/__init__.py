"""Searches over an inlining graph: eager, stratified, DAG and alternating.

Stratified inlining is DAG inlining that never merges: one graph, one loop, strategies as small objects.
"""
