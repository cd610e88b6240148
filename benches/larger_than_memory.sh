#!/bin/sh
# The yardstick for data larger than memory: generates ROWS agrawal rows, turns them into Parquet, has DuckDB and polars rewrite it, and anonymizes it
# with a limit on memory. Prints seconds, CPU seconds, peak memory and what was read and written.
#   benches/larger_than_memory.sh ROWS FOLDER [PYTHON]     (PYTHON with duckdb and polars)
set -eu
rows=$1 folder=$2 python=${3:-python3}
sfumato=${SFUMATO:-target/release/sfumato}
here=$(dirname "$0")
mkdir -p "$folder"
data=$folder/agrawal_$rows.parquet
if [ ! -e "$data" ]; then
  "$sfumato" generate agrawal --rows "$rows" -o "$folder/agrawal.csv" -q
  "$python" -c "import polars as pl; pl.scan_csv('$folder/agrawal.csv').sink_parquet('$data', row_group_size=1<<20)"
  rm "$folder/agrawal.csv"
fi
"$python" "$here/rewrite_parquet.py" duckdb "$data" "$folder/rewritten.parquet"
"$python" "$here/rewrite_parquet.py" polars "$data" "$folder/rewritten.parquet"
rm -f "$folder/rewritten.parquet"
for engine in sample tree; do
  "$sfumato" anonymize "$data" -o "$folder/release.parquet" -k 1000 --memory 512MiB --engine $engine --json -q \
    --qi salary,commission,age,elevel,car,zipcode,hvalue,hyears,loan > "$folder/report.json"
  "$python" - "$folder/report.json" <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
e = r["algorithm_details"]["engine"]
t = {k: round(v / 1000, 1) for k, v in r["timings_ms"].items()}
print(e["name"], t["total"], "s", round(r["peak_rss_bytes"] / 2**20), "MiB;", e["partitions"], "partitions; reads", e["actual"]["reads"],
      "predicted", e["predicted"]["reads"], "writes", e["actual"]["writes"], "predicted", e["predicted"]["writes"],
      "predicted s", round(e["predicted"]["ms"] / 1000, 1), "; spilled", round(e["spilled_bytes"] / r["input"]["bytes"], 2),
      "x the input, read back", round(e["spill_read_bytes"] / r["input"]["bytes"], 2), "x;", r["classes"]["count"], "classes; ncp",
      round(r["metrics"]["ncp"], 4), t)
P
done
rm -f "$folder/release.parquet" "$folder/report.json"
