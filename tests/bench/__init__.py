"""The benchmarks behind docs/benchmarks.md: the budgets of the design, each as a ratio within one run. No tests."""
