// RUN: check
