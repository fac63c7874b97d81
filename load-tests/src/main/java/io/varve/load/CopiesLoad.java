package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/**
 * A load of one {@link CopiesTable.Case}, in bulks, as fast as the server accepts them. Refused
 * documents are counted, and not sent again.
 */
final class CopiesLoad {

  private static final int DOCUMENTS_PER_BULK = 1000;
  private static final Shape SHAPE = Shape.TAXIS;

  /** All counted runs of one kind of replica. */
  static final class Runs {
    private final NodeSamples.Collected samples = new NodeSamples.Collected();
    private final LongAdder acked = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private double storeMegabytes = Double.NaN;

    /** Adds the result of a run. */
    void ended(long ackedDocuments, long refusedDocuments, double megabytes) {
      acked.add(ackedDocuments);
      refused.add(refusedDocuments);
      storeMegabytes = megabytes;
    }

    NodeSamples.Collected samples() {
      return samples;
    }

    /** The size of all copies, in the last run. */
    double storeMegabytes() {
      return storeMegabytes;
    }

    double documentsPerSecond(double quantile) {
      return samples.documentsPerSecond().quantile(quantile);
    }

    double cpuPercent(double quantile) {
      return samples.cpuPerMille().quantile(quantile) / 10;
    }

    double residentMegabytes(double quantile) {
      return samples.residentMegabytes().quantile(quantile);
    }

    double errorPercent() {
      double all = acked.sum() + refused.sum();
      return all == 0 ? 0 : refused.sum() * 100 / all;
    }
  }

  private final MeasuredServer server;
  private final CopiesTable.Case loaded;
  private final int clients;
  private final List<byte[]> bodies;

  CopiesLoad(MeasuredServer server, CopiesTable.Case loaded, int clients) {
    this.server = server;
    this.loaded = loaded;
    this.clients = clients;
    this.bodies =
        new BulkRun(SHAPE, Copies.NONE, loaded.documents(), DOCUMENTS_PER_BULK, clients, "1s")
            .bodies();
  }

  void run(String replication, Runs runs) throws IOException {
    recreateIndex(replication);
    LongAdder acked = new LongAdder();
    LongAdder refused = new LongAdder();
    try (NodeSamples samples =
        new NodeSamples(
            server.processes().dataNodes(), acked::sum, runs.samples(), LoadClock.SYSTEM)) {
      samples.start();
      send(acked, refused);
    }
    server.call("POST", "/" + BulkRun.INDEX + "/_refresh", "");
    double storeBytes =
        server
            .call("GET", "/" + BulkRun.INDEX + "/_stats/store", "")
            .at("/_all/total/store/size_in_bytes")
            .asDouble(Double.NaN);
    runs.ended(acked.sum(), refused.sum(), storeBytes / 1e6);
  }

  private void recreateIndex(String replication) throws IOException {
    server.call("DELETE", "/" + BulkRun.INDEX + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + BulkRun.INDEX,
        "{\"settings\":{\"number_of_shards\":"
            + loaded.primaries()
            + ","
            + new Copies(replication, loaded.replicas()).settings()
            + ",\"refresh_interval\":\"1s\"},\"mappings\":"
            + SHAPE.mapping()
            + "}");
    JsonNode health =
        server.call(
            "GET", "/_cluster/health/" + BulkRun.INDEX + "?wait_for_status=green&timeout=300s", "");
    if (!health.path("status").asString("").equals("green")) {
      throw new IOException(server.name() + " is not green: " + health);
    }
  }

  private void send(LongAdder acked, LongAdder refused) throws IOException {
    AtomicInteger next = new AtomicInteger();
    ParallelClients.run(
        clients,
        () -> {
          client(next, acked, refused);
          return null;
        });
  }

  private void client(AtomicInteger next, LongAdder acked, LongAdder refused) throws IOException {
    try (HttpConnection connection = server.connect()) {
      for (int i = next.getAndIncrement(); i < bodies.size(); i = next.getAndIncrement()) {
        HttpConnection.Answer answer =
            connection.call(
                "POST", "/" + BulkRun.INDEX + "/_bulk", "application/x-ndjson", bodies.get(i));
        long failed = refused(answer, documents(i));
        refused.add(failed);
        acked.add(documents(i) - failed);
      }
    }
  }

  private int documents(int bulk) {
    return Math.min(DOCUMENTS_PER_BULK, loaded.documents() - bulk * DOCUMENTS_PER_BULK);
  }

  /**
   * The number of refused documents of a bulk.
   *
   * @param documents in the bulk
   */
  static long refused(HttpConnection.Answer answer, int documents) {
    if (answer.status() != 200) {
      return documents;
    }
    JsonNode body = MeasuredServer.JSON.readTree(answer.body());
    long failed = 0;
    if (body.path("errors").asBoolean()) {
      for (JsonNode item : body.path("items")) {
        failed += item.path("index").has("error") ? 1 : 0;
      }
    }
    return failed;
  }
}
