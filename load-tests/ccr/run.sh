#!/bin/sh
# Runs a race of Rally or OpenSearch Benchmark, with the telemetry device ccr-stats of that tool, against a
# running pair of clusters (./varve cluster --follower). All files are written below load-tests/target/ccr.
# Exit status: 0 the race ended well, 1 it did not, 77 the tool can't be installed here.
set -eu

tool=${1:-}
case $tool in
  rally) package=esrally version=2.13.0 newest_minor=13 ;;
  osb) package=opensearch-benchmark version=2.4.0 newest_minor=13 ;;
  *)
    cat >&2 <<'USAGE'
load-tests/ccr/run.sh rally|osb [--leader URL] [--follower URL] [--documents N] [--rate N] [--quick]

  --leader     a coordinator of the leader               (http://127.0.0.1:9200)
  --follower   a coordinator of the follower             (http://127.0.0.1:9300)
  --documents  number of documents                       (200000)
  --rate       documents per second, 0: no limit         (5000)
  --quick      20000 documents
USAGE
    exit 2
    ;;
esac
shift

skip() {
  echo "ccr: skipped: $1" >&2
  exit 77
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
work=$root/target/ccr/$tool
mkdir -p "$work"

if [ "$(cat "$work/installed" 2>/dev/null)" != "$version" ]; then
  python=
  for candidate in python3 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c "import sys, venv; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, $newest_minor))" 2>/dev/null; then
      python=$candidate
      break
    fi
  done
  [ -n "$python" ] || skip "$package $version needs Python 3.10 to 3.$newest_minor with venv, and there is none"
  echo "ccr: installing $package $version into $work/venv ..." >&2
  "$python" -m venv --clear "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$package==$version" >"$work/install.log" 2>&1 ||
    skip "$package $version can't be installed: $(tail -n 1 "$work/install.log")"
  echo "$version" >"$work/installed"
fi

# A separate home, so that nothing is written to the user's.
export RALLY_HOME="$work/home" BENCHMARK_HOME="$work/home"
mkdir -p "$work/home"
exec "$work/venv/bin/python" "$root/ccr/race.py" "$tool" "$root" "$work" "$@"
