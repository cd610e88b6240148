#!/bin/sh
# Answers on demand, asked by a second process on the same machine.
#   benches/serve_sets.sh DATA RECORDS K [SECONDS] [CONNECTIONS]
# DATA is a file of lines without keys: records are asked for by their number.
set -eu
cargo build --release --package sfumato-cli
cargo build --release --package sfumato-web --example ask_sets
folder=${CARGO_TARGET_DIR:-target}/release
said=$(mktemp)
"$folder/sfumato" serve-sets "$1" --baskets lines -k "$3" --listen 127.0.0.1:0 2> "$said" &
service=$!
trap 'kill $service; rm -f "$said"' EXIT
until grep -q http:// "$said"; do
    kill -0 $service
    sleep 1
done
grep http:// "$said"
"$folder/examples/ask_sets" "$(sed -n 's,.*http://\([^/]*\)/.*,\1,p' "$said")" "$2" "${4:-20}" "${5:-8}"
grep -E 'VmHWM|VmRSS' /proc/$service/status
