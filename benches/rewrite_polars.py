#!/usr/bin/env python3
"""The yardstick: read a CSV with polars and write it again, with fsync. Prints seconds (wall, CPU) and peak memory in bytes."""
import os
import resource
import sys
import time

import polars as pl

source, target = sys.argv[1:3]
start = time.perf_counter()
pl.read_csv(source).write_csv(target)
with open(target, "rb") as written:
    os.fsync(written.fileno())
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
print(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
