#!/usr/bin/env python3
"""run.py on models that are only nearly symmetric (partial.py); the same arguments."""

import partial
import run

run.generate = partial.generate
run.Comparer.more = ["--partial", "1"]

if __name__ == "__main__":
    run.main()
