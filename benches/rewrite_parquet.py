#!/usr/bin/env python3
"""The yardstick: rewrite a Parquet file with DuckDB (within 512 MB) or polars (streaming), with fsync. Prints seconds, CPU seconds and peak memory."""
import os
import resource
import sys
import time

tool, source, target = sys.argv[1:4]
start = time.perf_counter()
if tool == "duckdb":
    import duckdb

    db = duckdb.connect()
    db.execute("SET memory_limit='512MB'")
    db.execute(f"SET temp_directory='{target}.tmp'")
    db.execute("SET preserve_insertion_order=false")
    db.execute(f"COPY (SELECT * FROM '{source}') TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
else:
    import polars as pl

    pl.scan_parquet(source).sink_parquet(target, row_group_size=1 << 20)
with open(target, "rb") as written:
    os.fsync(written.fileno())
wall = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{tool} {wall:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of CPU, {used.ru_maxrss // 1024} MiB")
