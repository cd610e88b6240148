#!/bin/sh
# Buckets of baskets: file in to verified folder out on the two BMS-WebView sets, p = 10 and ten sensitive items.
#   benches/buckets.sh FOLDER [RUNS]
# Sensitive items are drawn with a fixed seed among those in at most one of twenty records. Prints a line of Markdown per set: the median of the runs.
set -eu
folder=$1
runs=${2:-9}
data=${SFUMATO_DATA:-../shared/data}/setvalued
cargo build --release --package sfumato-cli
sfumato=${CARGO_TARGET_DIR:-target}/release/sfumato
mkdir -p "$folder"
echo "| data | algorithm | groups | total | read | anonymize | write | verify | measure | peak RSS | KL, r = 4 |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for set in BMS-WebView-1 BMS-WebView-2; do
    gzip -dc "$data/$set.dat.gz" > "$folder/$set.dat"
    items=$(python3 - "$folder/$set.dat" <<'P'
import collections, random, sys
rows = [set(line.split()) for line in open(sys.argv[1])]
support = collections.Counter(item for row in rows for item in row)
rare = sorted((item for item in support if support[item] <= len(rows) / 20), key=int)
print(",".join(random.Random(1).sample(rare, 10)))
P
)
    for algorithm in cahd perm-mondrian; do
        i=0
        while [ $i -lt "$runs" ]; do
            "$sfumato" anonymize "$folder/$set.dat" --baskets lines --sensitive-items "$items" --model 'privacy-degree(p=10)' \
                --algorithm "$algorithm" --seed 1 -o "$folder/release" --json --quiet > "$folder/report.$i.json"
            i=$((i + 1))
        done
        python3 - "$set" "$folder" "$runs" <<'P'
import json, statistics, sys
name, folder, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
reports = [json.load(open(f"{folder}/report.{i}.json")) for i in range(runs)]
ms = lambda step: f"{statistics.median(r['timings_ms'][step] for r in reports):.0f} ms"
r = reports[0]
print("|", " | ".join([name, f"`{r['algorithm']}`", f"{r['buckets']['groups']['count']:,}", ms("total"), ms("read"), ms("anonymize"), ms("write"), ms("verify"),
    ms("measure"), f"{max(r['peak_rss_bytes'] for r in reports) / 2**20:.0f} MiB", f"{r['metrics']['reconstruction-kl']:.3f}"]), "|")
P
    done
    rm -rf "$folder/release" "$folder"/report.*.json
done
