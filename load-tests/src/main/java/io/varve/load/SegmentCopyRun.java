package io.varve.load;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * Copies an index of one shard to a replica: starts without a replica, adds one, and waits until it
 * is started. The server needs a second data node.
 */
record SegmentCopyRun(String index) {

  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** Server CPU covers all processes while the replica is built. */
  record Result(double megabytes, double cpuSeconds) {
    double megabytesPerCpuSecond() {
      return megabytes / cpuSeconds;
    }
  }

  Result on(MeasuredServer server) throws IOException {
    replicas(server, 0);
    JsonNode stats = server.call("GET", "/" + index + "/_stats/store", "");
    double bytes = stats.at("/_all/primaries/store/size_in_bytes").asDouble(Double.NaN);
    double before = server.processes().cpuSeconds();
    replicas(server, 1);
    return new Result(bytes / BYTES_PER_MEGABYTE, server.processes().cpuSeconds() - before);
  }

  private void replicas(MeasuredServer server, int number) throws IOException {
    server.call("PUT", "/" + index + "/_settings", "{\"index.number_of_replicas\":" + number + "}");
    JsonNode health =
        server.call(
            "GET",
            "/_cluster/health/"
                + index
                + "?wait_for_status=green&wait_for_no_initializing_shards=true&timeout=120s",
            "");
    if (health.path("active_shards").asInt(-1) != number + 1) {
      throw new IOException(server.name() + " has no " + number + " replicas: " + health);
    }
  }
}
