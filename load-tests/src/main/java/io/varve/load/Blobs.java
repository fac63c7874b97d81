package io.varve.load;

import java.io.IOException;
import java.util.List;

/** Creates indices of a given size from {@link Shape#BLOB}. */
final class Blobs {

  /** Size of one document in a segment. */
  private static final int STORED_BYTES = 3_050;

  private static final int DOCUMENTS_PER_BULK = 100;

  /**
   * Number of distinct documents. They are sent repeatedly; identical documents are too far apart
   * to be compressed together.
   */
  private static final int DISTINCT = 6_000;

  private Blobs() {}

  /** Returns the number of documents in an index of this size. */
  static int documents(int megabytes) {
    long exact = megabytes * 1_000_000L / STORED_BYTES;
    return (int) Math.max(1, (exact + DISTINCT / 2) / DISTINCT) * DISTINCT;
  }

  /** Fills the index and returns the bodies of the bulks that were sent. */
  static List<byte[]> fill(MeasuredServer server, int megabytes, Copies copies) throws IOException {
    BulkRun load = new BulkRun(Shape.BLOB, copies, DISTINCT, DOCUMENTS_PER_BULK, 2, "1s");
    load.recreateIndex(server);
    List<byte[]> bodies = load.bodies();
    for (int sent = 0; sent < documents(megabytes); sent += DISTINCT) {
      load.send(server, BulkRun.INDEX, bodies, new Latencies());
    }
    server.call("POST", "/" + BulkRun.INDEX + "/_refresh", "");
    return bodies;
  }
}
