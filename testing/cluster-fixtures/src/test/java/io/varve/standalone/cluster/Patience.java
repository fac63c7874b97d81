package io.varve.standalone.cluster;

import io.varve.standalone.RestCalls;
import java.io.IOException;

/**
 * Lets reads and writes of a test wait longer for copies than a slow machine delays them. Each test
 * begins with the limits of production.
 */
final class Patience {

  private Patience() {}

  static void begin(RestCalls rest) throws IOException {
    limits(rest, "\"1m\"", "\"2m\"");
  }

  static void end(RestCalls rest) throws IOException {
    limits(rest, "null", "null");
  }

  private static void limits(RestCalls rest, String read, String visible) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            """
            {"persistent":{
              "cluster.consistency.read.timeout":%s,
              "cluster.consistency.write.visible_timeout":%s}}\
            """
                .formatted(read, visible))
        .orThrow();
  }
}
