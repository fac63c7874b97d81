package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Measures whether nodes that are only paused stay members of a saturated cluster. Clients send
 * bulks as fast as the cluster accepts them, while one process after the other is stopped for a
 * moment (SIGSTOP); the broker never is. The index is deleted and created again after a number of
 * documents, so that the disk does not fill. Before that, the primaries must hold all documents
 * that were acked. No process is paused meanwhile.
 */
final class MembershipBench {

  private static final String INDEX = "membership";
  private static final Shape SHAPE = Shape.TAXIS;
  private static final int SHARDS = 2;
  private static final int DOCUMENTS_PER_INDEX = 1_000_000;
  private static final int COORDINATORS = 2;
  private static final int SHARD_SERVICES = 1;
  private static final int REPLICATION_SERVICES = 2;
  private static final int IDS_PER_QUERY = 1000;
  private static final long POLL_NANOS = 50_000_000;

  private final BenchOptions options;
  private final MembershipOptions pauses;
  private final LoadClock clock = LoadClock.SYSTEM;
  private final MembershipResult result = new MembershipResult();
  private int nextProcess;
  private long nextPauseNanos;

  MembershipBench(BenchOptions options, MembershipOptions pauses) {
    this.options = options;
    this.pauses = pauses;
  }

  /** Prints a table; fails if an acked document is missing. */
  void run() throws IOException, InterruptedException {
    DetectionCounts detection;
    try (Servers servers =
        Servers.of(options, COORDINATORS, SHARD_SERVICES, REPLICATION_SERVICES, "never")) {
      MeasuredServer server = servers.all().getFirst();
      List<byte[]> documents = SaturatingClients.documents(SHAPE);
      long endNanos = clock.nanos() + pauses.duration().toNanos();
      nextPauseNanos = clock.nanos() + pauses.pauseInterval().toNanos();
      while (clock.nanos() < endNanos) {
        round(server, documents, endNanos);
      }
      detection = detection(server);
    }
    CopiesBench.head(List.of("pauses of " + pauses.pause().toMillis() + " ms", ""));
    result.rows(detection).forEach(cells -> CopiesBench.row(cells.toArray()));
    if (result.missing() > 0) {
      throw new IOException(result.missing() + " acked documents are missing");
    }
  }

  /** Fills an index until it has enough documents or the time is over. */
  private void round(MeasuredServer server, List<byte[]> documents, long endNanos)
      throws IOException, InterruptedException {
    recreateIndex(server);
    MembershipResult.Terms before = terms(server);
    double cpuBefore = server.processes().cpuSeconds();
    long begunNanos = clock.nanos();
    BulkOutcomes outcomes;
    try (SaturatingClients clients =
        new SaturatingClients(server, INDEX, documents, options.clients(), clock)) {
      outcomes = clients.outcomes();
      while (outcomes.acked() < DOCUMENTS_PER_INDEX && clock.nanos() < endNanos) {
        if (clock.nanos() >= nextPauseNanos) {
          nextPauseNanos = clock.nanos() + pauses.pauseInterval().toNanos();
          pauseNextProcess(server.processes());
        }
        clock.sleepNanos(POLL_NANOS);
      }
    }
    long nanos = clock.nanos() - begunNanos;
    double cpu = server.processes().cpuSeconds() - cpuBefore;
    result.termsChanged(before, terms(server));
    result.ended(count(server, outcomes), nanos, cpu);
    System.err.printf("bench: %,d documents, %s%n", outcomes.acked(), detection(server));
  }

  private void recreateIndex(MeasuredServer server) throws IOException {
    server.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + INDEX,
        "{\"settings\":{\"number_of_shards\":"
            + SHARDS
            + ","
            + new Copies("SEGMENT", 1).settings()
            + "},\"mappings\":"
            + SHAPE.mapping()
            + "}");
    server.call("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", "");
  }

  private void pauseNextProcess(Processes processes) throws IOException, InterruptedException {
    List<String> names =
        processes.pids().keySet().stream()
            .filter(name -> !Processes.kind(name).equals("broker"))
            .sorted()
            .toList();
    String name = names.get(nextProcess++ % names.size());
    long pid = processes.pids().get(name);
    Programs.stop(pid);
    try {
      clock.sleepNanos(pauses.pause().toNanos());
    } finally {
      Programs.resume(pid);
    }
    result.paused(name);
  }

  private static MembershipResult.Terms terms(MeasuredServer server) throws IOException {
    JsonNode metadata =
        server.call("GET", "/_cluster/state/metadata/" + INDEX, "").path("metadata");
    Map<String, Long> primaries = new HashMap<>();
    metadata
        .at("/indices/" + INDEX + "/primary_terms")
        .properties()
        .forEach(shard -> primaries.put(shard.getKey(), shard.getValue().asLong()));
    return new MembershipResult.Terms(
        metadata.at("/cluster_coordination/term").asLong(), primaries);
  }

  /**
   * Counts again if an unacked document appeared meanwhile, because a request whose connection
   * broke may still be executed.
   */
  private static MembershipResult.Round count(MeasuredServer server, BulkOutcomes outcomes)
      throws IOException {
    List<String> unacked = outcomes.unackedIds();
    long unackedBefore;
    long all;
    long unackedAfter;
    do {
      server.call("POST", "/" + INDEX + "/_refresh", "");
      unackedBefore = count(server, unacked);
      all = count(server, "{\"match_all\":{}}");
      unackedAfter = count(server, unacked);
    } while (unackedBefore != unackedAfter);
    return new MembershipResult.Round(outcomes, all, unackedAfter);
  }

  private static long count(MeasuredServer server, List<String> ids) throws IOException {
    long sum = 0;
    for (int from = 0; from < ids.size(); from += IDS_PER_QUERY) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + IDS_PER_QUERY));
      sum += count(server, "{\"ids\":{\"values\":[" + quoted(some) + "]}}");
    }
    return sum;
  }

  private static String quoted(List<String> ids) {
    return ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
  }

  private static long count(MeasuredServer server, String query) throws IOException {
    JsonNode answer =
        server.call(
            "POST", "/" + INDEX + "/_count?preference=_primary", "{\"query\":" + query + "}");
    if (answer.at("/_shards/failed").asInt(-1) != 0) {
      throw new IOException("not all shards were counted: " + answer);
    }
    return answer.path("count").asLong();
  }

  /** Fails if a coordinator has ended, because its counts are lost. */
  private static DetectionCounts detection(MeasuredServer server) throws IOException {
    DetectionCounts sum = DetectionCounts.NONE;
    for (String url : server.coordinators()) {
      try (HttpConnection connection = new HttpConnection(url, server.access())) {
        HttpConnection.Answer answer =
            connection.call("GET", "/_actuator/prometheus", "text/plain", "".getBytes(UTF_8));
        if (answer.status() != 200) {
          throw new IOException(url + " answered " + answer.status() + ": " + answer.text());
        }
        sum = sum.plus(DetectionCounts.parse(answer.text()));
      }
    }
    return sum;
  }
}
