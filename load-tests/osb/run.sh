#!/bin/sh
# Runs OpenSearch Benchmark against a running Varve, with a workload of generated documents.
# All files are written below load-tests/target/osb.
set -eu

version=2.4.0
url=http://127.0.0.1:9200
taxis=50000
logs=20000
parameters=
user=
password_file=
ca=

usage() {
  cat <<'USAGE'
load-tests/osb/run.sh [--url URL] [--taxis N] [--logs N] [--parameters a:1,b:2] [--quick]
                      [--user NAME --password-file FILE --ca FILE]

  --url         a coordinator                              (http://127.0.0.1:9200)
  --user, --password-file, --ca  of a secured cluster, whose URL begins with https
  --taxis       rides to generate                          (50000)
  --logs        requests to generate for each of two indices (20000)
  --parameters  of the workload: shards, replicas, bulk_clients, warmup, iterations
  --quick       2000 documents of each kind, 5 iterations: does it run to the end?
USAGE
}

while [ $# -gt 0 ]; do
  case $1 in
    --url) url=$2; shift 2 ;;
    --taxis) taxis=$2; shift 2 ;;
    --logs) logs=$2; shift 2 ;;
    --parameters) parameters=,$2; shift 2 ;;
    --user) user=$2; shift 2 ;;
    --password-file) password_file=$2; shift 2 ;;
    --ca) ca=$2; shift 2 ;;
    --quick) taxis=2000; logs=2000; parameters=,warmup:2,iterations:5; shift ;;
    *) usage >&2; exit 2 ;;
  esac
done

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
work=$root/target/osb
mkdir -p "$work"

command -v python3 >/dev/null 2>&1 || { echo "osb: python3 is missing (3.8 or newer, with venv)" >&2; exit 1; }
if [ "$(cat "$work/installed" 2>/dev/null)" != "$version" ]; then
  echo "osb: installing opensearch-benchmark $version into $work/venv ..." >&2
  python3 -m venv --clear "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "opensearch-benchmark==$version"
  echo "$version" >"$work/installed"
fi

rm -rf "$work/workload" "$work/results.md"
cp -r "$root/osb/workload" "$work/workload"
"$work/venv/bin/python" "$root/osb/generate.py" "$work/workload" "$taxis" "$logs"

# A file, because command lines are visible to all users of the machine.
client_options=$work/client-options.json
rm -f "$client_options"
trap 'rm -f "$client_options"' EXIT
trap 'exit 1' INT TERM
(umask 077 && "$work/venv/bin/python" - "$user" "$password_file" "$ca" >"$client_options" <<'PYTHON'
import json, pathlib, sys

user, password_file, ca = sys.argv[1:]
options = {"timeout": 60}
if ca:
    options.update(use_ssl=True, verify_certs=True, ca_certs=ca)
if user:
    password = pathlib.Path(password_file).read_text().strip()
    options.update(basic_auth_user=user, basic_auth_password=password)
print(json.dumps({"default": options}))
PYTHON
)

# A separate home, so that nothing is written to the user's.
export BENCHMARK_HOME="$work/home"
mkdir -p "$BENCHMARK_HOME"
"$work/venv/bin/opensearch-benchmark" run \
  --offline \
  --pipeline=benchmark-only \
  --target-hosts="${url#http*://}" \
  --client-options="$client_options" \
  --workload-path="$work/workload" \
  --workload-params="taxis_documents:$taxis,logs_documents:$logs$parameters" \
  --telemetry=node-stats,shard-stats,segment-replication-stats,recovery-stats \
  --telemetry-params=node-stats-sample-interval:1,shard-stats-sample-interval:5,segment-replication-stats-sample-interval:5,recovery-stats-sample-interval:5 \
  --on-error=abort \
  --kill-running-processes \
  --results-file="$work/results.md"
