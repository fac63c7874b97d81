#!/bin/sh
# Runs schemathesis over the OpenAPI document of a running Varve. All files are written below load-tests/target.
set -eu

version=4.32.5
url=http://127.0.0.1:9200
examples=20
seed=1

while [ $# -gt 0 ]; do
  case $1 in
    --url) url=$2; shift 2 ;;
    --examples) examples=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    *) echo "schemathesis.sh [--url URL] [--examples N] [--seed N]" >&2; exit 2 ;;
  esac
done

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
work=$root/target/schemathesis
mkdir -p "$work"

command -v python3 >/dev/null 2>&1 || { echo "schemathesis: python3 is missing (3.10 or newer, with venv)" >&2; exit 1; }
if [ "$(cat "$work/installed" 2>/dev/null)" != "$version" ]; then
  echo "schemathesis: installing $version into $work/venv ..." >&2
  python3 -m venv --clear "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
  echo "$version" >"$work/installed"
fi

# It also counts 503, which is correct for a request with a time-out of zero. The bodies of _bulk and _msearch
# are NDJSON, which it cannot generate; the build's own fuzzer does.
cd "$work"
exec "$work/venv/bin/schemathesis" run "$url/openapi.json" \
  --url "$url" \
  --checks not_a_server_error \
  --phases examples,coverage,fuzzing \
  --max-examples "$examples" \
  --seed "$seed" \
  --request-timeout 60 \
  --continue-on-failure
