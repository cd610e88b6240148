#!/bin/sh
# Baskets at scale: file in to verified file out for several k, and answers on demand from another process.
#   benches/baskets.sh FOLDER [RECORDS] [ALGORITHM] [KS]
# Needs about 4 GB in FOLDER for 20,616,891 records. Prints a line of Markdown per run.
set -eu
folder=$1
records=${2:-20616891}
algorithm=${3:-'set-mondrian(split=even)'}
ks=${4:-"2 10 20 40"}
cargo build --release --package sfumato-cli
sfumato=${CARGO_TARGET_DIR:-target}/release/sfumato
mkdir -p "$folder"
data=$folder/targeting_$records.dat
[ -e "$data" ] || "$sfumato" generate 'longtail(preset=targeting)' --rows "$records" --seed 1 -o "$data" --companions "$folder" --quiet
echo "| records | algorithm | k | total | read | anonymize | write | verify | measure | peak RSS | classes | utility kept | items kept |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for k in $ks; do
    "$sfumato" anonymize "$data" --baskets lines --utilities "$folder/longtail_utilities.csv" -k "$k" \
        --algorithm "$algorithm" --seed 1 -o "$folder/release.dat" --json --quiet > "$folder/report.json"
    python3 - "$folder/report.json" <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
t, m = r["timings_ms"], r["metrics"]
s = lambda name: f"{t[name] / 1000:.1f} s"
params = ", ".join(f"{a}={b}" for a, b in r["algorithm_params"].items())
print("|", " | ".join([
    f"{r['input']['rows']:,}", f"`{r['algorithm']}({params})`", str(r["guarantees"][0]["required"]), s("total"), s("read"), s("anonymize"), s("write"),
    s("verify"), s("measure"), f"{r['peak_rss_bytes'] / 2**30:.2f} GiB", f"{r['classes']['count']:,}", f"{100 * m['utility-retained']:.2f} %",
    f"{100 * m['instances-retained']:.2f} %"]), "|")
P
    rm -f "$folder/release.dat"
done
