package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.SplittableRandom;

/** Writes single documents sequentially over one connection. */
record WriteRun(Shape shape, int warmUp, int documents) {

  private static final String INDEX = "bench-single";

  Latencies on(MeasuredServer server) throws IOException {
    server.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + INDEX,
        "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1,\"replication.type\":\"SEGMENT\"},\"mappings\":"
            + shape.mapping()
            + "}");
    server.call("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", "");
    Latencies latencies = new Latencies();
    SplittableRandom random = new SplittableRandom(7);
    StringBuilder document = new StringBuilder();
    try (HttpConnection connection = server.connect()) {
      for (int i = 0; i < warmUp + documents; i++) {
        document.setLength(0);
        shape.append(document, random, i);
        byte[] body = document.toString().getBytes(UTF_8);
        long sentNanos = System.nanoTime();
        HttpConnection.Answer answer =
            connection.call("POST", "/" + INDEX + "/_doc", "application/json", body);
        if (i >= warmUp) {
          latencies.add(System.nanoTime() - sentNanos);
        }
        if (answer.status() != 201) {
          throw new IOException("a write answered " + answer.status() + ": " + answer.text());
        }
      }
    }
    return latencies;
  }
}
