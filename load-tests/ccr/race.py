"""Runs one race with ccr-stats telemetry: race.py rally|osb LOAD_TESTS_FOLDER WORK_FOLDER [OPTIONS]; see run.sh.

The race ends well if the tool does, if its ccr-stats recorders never failed, if these recorders, called once more,
get what they need from every shard, and if the follower has all documents.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

LEADER_INDEX = "requests"
FOLLOWER_INDEX = LEADER_INDEX + "-copy"
PATTERN = "race"
SHARDS = 3
CLIENTS = 8
LIMIT_SECONDS = 300


class Failed(Exception):
    pass


def call(url, method, path, body=None, accepts=()):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as e:
        if e.code in accepts:
            return {}
        raise Failed(f"{method} {path} answered {e.code}: {e.read().decode()}") from e
    except OSError as e:
        raise Failed(f"{url} does not answer: {e}") from e


def wait_until(what, test):
    deadline = time.monotonic() + LIMIT_SECONDS
    last = None
    while time.monotonic() < deadline:
        last = test()
        if last is True:
            return
        time.sleep(0.2)
    raise Failed(f"{what} did not happen within {LIMIT_SECONDS} s: {last}")


def count(url, index):
    call(url, "POST", f"/{index}/_refresh")
    return call(url, "GET", f"/{index}/_count")["count"]


class Store:
    """Stands in for the tool's metrics store: keeps what a recorder puts."""

    def __init__(self):
        self.documents = []

    def put_doc(self, doc, level=None, meta_data=None, **_):
        self.documents.append((doc, meta_data))


def host(url):
    name, port = url.removeprefix("http://").split(":")
    return [{"host": name, "port": int(port)}]


class Race:
    """What both tools have in common."""

    def __init__(self, root, work, options):
        self.root, self.work, self.options = root, work, options
        self.leader, self.follower = options.leader, options.follower
        self.results = work / "results.md"
        self.hosts = {"default": [self.leader.removeprefix("http://")], "follower": [self.follower.removeprefix("http://")]}

    def write(self, name, content):
        path = self.work / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    def workload(self, template):
        """Copies the template, the mapping and the documents into one folder."""
        folder = self.work / "workload"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(self.root / "ccr" / template, folder / template)
        shutil.copy(self.root / "osb" / "workload" / "logs.json", folder / "requests.json")
        generate = self.root / "osb" / "generate.py"
        subprocess.run([sys.executable, str(generate), str(folder), "0", str(self.options.documents)], check=True)
        (folder / "documents-logs-1.json").rename(folder / "documents.json")
        return folder

    def parameters(self):
        rate = {"rate": self.options.rate} if self.options.rate else {}
        return {"documents": self.options.documents, "clients": CLIENTS, **rate}

    def delete_indices(self):
        call(self.follower, "DELETE", f"/_ccr/auto_follow/{PATTERN}", accepts=(404,))
        call(self.follower, "DELETE", f"/{FOLLOWER_INDEX}", accepts=(404,))
        call(self.leader, "DELETE", f"/{LEADER_INDEX}", accepts=(404,))

    def run(self):
        self.delete_indices()
        self.prepare()
        log = self.log()
        log.unlink(missing_ok=True)
        try:
            if subprocess.run(self.command(), check=False, cwd=self.work).returncode != 0:
                raise Failed(f"the race failed; see {log}")
            self.check_log(log)
            self.check_follower()
            self.check_recorders()
        finally:
            self.clean_up()

    def check_log(self, log):
        text = log.read_text(encoding="utf-8", errors="replace")
        if "Could not determine ccr stats" in text or "Could not determine node stats" in text:
            raise Failed(f"a recorder of a telemetry device failed; see {log}")

    def check_follower(self):
        documents = self.options.documents
        if count(self.leader, LEADER_INDEX) != documents:
            raise Failed(f"the leader has {count(self.leader, LEADER_INDEX)} of {documents} documents")

        def whole():
            found = count(self.follower, FOLLOWER_INDEX)
            return True if found == documents else f"the follower has {found} of {documents} documents"

        wait_until("the end of following", whole)


class Rally(Race):
    """As Rally's recipe for CCR: the follower follows by a pattern what the race creates."""

    def prepare(self):
        for url in (self.leader, self.follower):
            call(url, "PUT", "/_cluster/settings", {"persistent": {"compatibility.identity": "elasticsearch-7.10"}})
            call(url, "GET", "/_license")
        body = {"remote_cluster": "leader", "leader_index_patterns": ["*"], "follow_index_pattern": "{{leader_index}}-copy"}
        call(self.follower, "PUT", f"/_ccr/auto_follow/{PATTERN}", body)

    def log(self):
        return self.work / "home" / ".rally" / "logs" / "rally.log"

    def command(self):
        sampled = {"ccr-stats-sample-interval": 5, "ccr-stats-indices": {"follower": [FOLLOWER_INDEX]}}
        return [
            str(self.work / "venv/bin/esrally"), "race", "--offline", "--pipeline=benchmark-only", "--on-error=abort",
            "--kill-running-processes",
            f"--target-hosts={self.write('hosts.json', self.hosts)}",
            f"--client-options={self.write('client-options.json', {name: {'timeout': 60} for name in self.hosts})}",
            f"--track-path={self.workload('track.json')}",
            f"--track-params={self.write('parameters.json', {**self.parameters(), 'shards': SHARDS})}",
            "--telemetry=ccr-stats,node-stats",
            f"--telemetry-params={self.write('telemetry.json', {**sampled, 'node-stats-sample-interval': 10})}",
            f"--report-file={self.results}",
        ]  # fmt: skip

    def check_recorders(self):
        from esrally.client.factory import EsClientFactory
        from esrally.telemetry import CcrStatsRecorder

        store = Store()
        client = EsClientFactory(host(self.follower), {"timeout": 60}).create()
        CcrStatsRecorder("follower", client, store, 5, [FOLLOWER_INDEX]).record()
        shards = {doc["shard"]["shard_id"]: doc["shard"] for doc, _ in store.documents}
        if sorted(shards) != list(range(SHARDS)):
            raise Failed(f"ccr-stats recorded the shards {sorted(shards)} of {SHARDS}")
        for shard in shards.values():
            if shard["operations_written"] == 0 or shard["follower_global_checkpoint"] != shard["leader_global_checkpoint"]:
                raise Failed(f"ccr-stats recorded a shard that is not done: {shard}")
        print(f"ccr: Rally's ccr-stats recorded {len(shards)} shards with {len(shards[0])} fields each")

    def clean_up(self):
        call(self.follower, "DELETE", f"/_ccr/auto_follow/{PATTERN}", accepts=(404,))
        for url in (self.leader, self.follower):
            call(url, "PUT", "/_cluster/settings", {"persistent": {"compatibility.identity": None}})


class OpenSearchBenchmark(Race):
    """The follower is started before the test, because the telemetry device asks for its status from the start."""

    def prepare(self):
        body = json.loads((self.root / "osb" / "workload" / "logs.json").read_text(encoding="utf-8"))
        body["settings"]["index.number_of_shards"] = SHARDS
        call(self.leader, "PUT", f"/{LEADER_INDEX}", body)
        # The start is refused until the leader's primaries are started.
        call(self.leader, "GET", f"/_cluster/health/{LEADER_INDEX}?wait_for_status=yellow&timeout=60s", accepts=(408,))
        call(self.follower, "PUT", f"/_plugins/_replication/{FOLLOWER_INDEX}/_start",
             {"leader_alias": "leader", "leader_index": LEADER_INDEX})  # fmt: skip

        def syncing():
            status = call(self.follower, "GET", f"/_plugins/_replication/{FOLLOWER_INDEX}/_status")["status"]
            return True if status == "SYNCING" else f"the status is {status}"

        wait_until("the start of following", syncing)

    def log(self):
        return self.work / "home" / ".osb" / "logs" / "benchmark.log"

    def sampled(self):
        return {"default": [LEADER_INDEX], "follower": [FOLLOWER_INDEX]}

    def command(self):
        telemetry = {"ccr-stats-sample-interval": 5, "ccr-stats-indices": self.sampled(), "node-stats-sample-interval": 10}
        return [
            str(self.work / "venv/bin/opensearch-benchmark"), "run", "--offline", "--pipeline=benchmark-only", "--on-error=abort",
            "--kill-running-processes",
            f"--target-hosts={self.write('hosts.json', self.hosts)}",
            f"--client-options={self.write('client-options.json', {name: {'timeout': 60} for name in self.hosts})}",
            f"--workload-path={self.workload('workload.json')}",
            f"--workload-params={self.write('parameters.json', self.parameters())}",
            "--telemetry=ccr-stats,node-stats",
            f"--telemetry-params={self.write('telemetry.json', telemetry)}",
            f"--results-file={self.results}",
        ]  # fmt: skip

    def check_recorders(self):
        from osbenchmark.client import OsClientFactory
        from osbenchmark.telemetry import CcrStatsRecorder

        store = Store()
        for name, url in (("default", self.leader), ("follower", self.follower)):
            client = OsClientFactory(host(url), {"timeout": 60}).create()
            CcrStatsRecorder(name, client, store, 5, 60, self.sampled()[name]).record()
        names = [doc["name"] for doc, _ in store.documents]
        status = next((doc for doc, _ in store.documents if doc["name"] == "ccr-status"), None)
        if len(names) != 3 or status is None or status["replication_lag"] != 0:
            raise Failed(f"ccr-stats recorded {store.documents}")
        print(f"ccr: OpenSearch Benchmark's ccr-stats recorded {', '.join(names)}; the lag is 0")

    def clean_up(self):
        """The indices stay, so that users can look at them."""


def options(arguments):
    parser = argparse.ArgumentParser(prog="load-tests/ccr/run.sh")
    parser.add_argument("--leader", default="http://127.0.0.1:9200")
    parser.add_argument("--follower", default="http://127.0.0.1:9300")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--rate", type=int, default=5_000)
    parser.add_argument("--quick", action="store_const", const=20_000, dest="documents")
    return parser.parse_args(arguments)


def main():
    tool = {"rally": Rally, "osb": OpenSearchBenchmark}[sys.argv[1]]
    race = tool(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), options(sys.argv[4:]))
    try:
        race.run()
    except Failed as e:
        sys.exit(f"ccr: failed: {e}")
    print(f"ccr: the race ended well; results are in {race.results}")


main()
