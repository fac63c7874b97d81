package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The indices of a measurement. They have the same number of shards.
 *
 * @param shards total number of shards of all indices
 * @param replicas of each shard
 */
record IndexLayout(int indices, int shards, int replicas) {

  /** Nothing. */
  static final IndexLayout NONE = new IndexLayout(0, 0, 0);

  /**
   * The milliseconds from the start of the creation until it was applied, and until all copies were
   * started.
   */
  record Created(double appliedMillis, double greenMillis) {}

  IndexLayout {
    if (indices > 0 && shards % indices != 0) {
      throw new IllegalArgumentException(
          shards + " shards can't be divided among " + indices + " indices");
    }
  }

  List<String> names() {
    return IntStream.range(0, indices).mapToObj(i -> "growth-" + i).toList();
  }

  /** Creates the indices sequentially. */
  Created create(MeasuredServer server, Shape shape, LoadClock clock) throws IOException {
    long beganNanos = clock.nanos();
    for (String name : names()) {
      server.call("PUT", "/" + name + "?wait_for_active_shards=0", body(shape));
    }
    double appliedMillis = (clock.nanos() - beganNanos) / 1e6;
    server.call("GET", "/_cluster/health?wait_for_status=green&timeout=300s", "");
    return new Created(appliedMillis, (clock.nanos() - beganNanos) / 1e6);
  }

  private String body(Shape shape) {
    return """
    {"settings":{"number_of_shards":%d,"number_of_replicas":%d,"refresh_interval":"1s"},\
    "mappings":%s}
    """
        .formatted(shards / indices, replicas, shape.mapping());
  }

  void refresh(MeasuredServer server) throws IOException {
    server.call("POST", path() + "/_refresh", "");
  }

  void delete(MeasuredServer server) throws IOException {
    server.call("DELETE", path(), "");
  }

  private String path() {
    return "/" + String.join(",", names());
  }

  /** The live documents of all copies. */
  long documentsOfAllCopies(MeasuredServer server) throws IOException {
    return server
        .call("GET", path() + "/_stats/docs?filter_path=_all.total.docs.count", "")
        .path("_all")
        .path("total")
        .path("docs")
        .path("count")
        .asLong(-1);
  }
}
