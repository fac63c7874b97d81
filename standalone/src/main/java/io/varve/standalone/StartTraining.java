package io.varve.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Records a start for the JVM's ahead-of-time cache.
 *
 * <p>It starts a {@link Standalone} in a temporary folder, sends it typical requests, stops it and
 * deletes the folder. A JVM with the flag {@code -XX:AOTCacheOutput=FILE} then writes the classes
 * that were loaded and linked, and the profiles of their methods, to the file. A JVM with the same
 * class path and {@code -XX:AOTCache=FILE} starts from them (JEP 483, 514 and 515).
 *
 * <p>Its argument is the number of rounds of requests, by default {@value #ROUNDS}: methods are
 * profiled in many rounds, and classes are loaded in the first one.
 */
public final class StartTraining {

  private static final int ROUNDS = 20;
  private static final int DOCUMENTS_PER_BULK = 200;

  private static final String INDEX =
      """
      {"settings": {"number_of_shards": 1, "number_of_replicas": 1},
       "mappings": {"properties": {
         "title": {"type": "text"}, "tag": {"type": "keyword"}, "at": {"type": "date"},
         "price": {"type": "double"}, "count": {"type": "integer"}, "place": {"type": "geo_point"}}}}
      """;

  private static final List<String> SEARCHES =
      List.of(
          "{\"query\": {\"match_all\": {}}}",
          "{\"query\": {\"match\": {\"title\": \"quiet river\"}}, \"highlight\": {\"fields\": {\"title\": {}}}}",
          "{\"query\": {\"term\": {\"tag\": \"tag3\"}}, \"sort\": [{\"at\": \"desc\"}]}",
          "{\"query\": {\"bool\": {\"must\": [{\"query_string\": {\"query\": \"title:river\"}}], \"filter\":"
              + " [{\"range\": {\"price\": {\"gte\": 10, \"lt\": 90}}}]}}}",
          "{\"size\": 0, \"aggs\": {\"days\": {\"date_histogram\": {\"field\": \"at\", \"calendar_interval\":"
              + " \"day\"}, \"aggs\": {\"mean\": {\"avg\": {\"field\": \"price\"}}}},"
              + " \"tags\": {\"terms\": {\"field\": \"tag\"}}}}");

  private StartTraining() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length == 0 ? ROUNDS : Integer.parseInt(arguments[0]);
    Path data = Files.createTempDirectory("varve-start-training");
    int status = 1;
    try (Standalone standalone =
        Standalone.start(
            new Standalone.Settings(
                data,
                Ports.in(data).of("coordinator"),
                "os",
                List.of("--logging.level.root=WARN")))) {
      train(standalone.url(), rounds);
      status = 0;
    } finally {
      delete(data);
    }
    System.exit(status);
  }

  private static void train(String url, int rounds) throws IOException {
    try (RestCalls rest = new RestCalls(url)) {
      rest.get("/_cluster/health?wait_for_nodes=" + Standalone.NODES + "&timeout=2m").orThrow();
      rest.call("PUT", "/training", INDEX).orThrow();
      rest.get("/_cluster/health/training?wait_for_status=green&timeout=2m").orThrow();
      for (int round = 0; round < rounds; round++) {
        rest.call("POST", "/training/_bulk", documents(round)).orThrow();
      }
      rest.call("POST", "/training/_refresh", "").orThrow();
      for (int round = 0; round < rounds; round++) {
        for (String search : SEARCHES) {
          rest.call("POST", "/training/_search", search).orThrow();
        }
        rest.call("PUT", "/training/_doc/" + round, document(round)).orThrow();
        rest.get("/training/_doc/" + round).orThrow();
      }
      rest.get("/_cat/shards").orThrow();
      rest.get("/_cluster/state").orThrow();
      rest.get("/_nodes/stats").orThrow();
      rest.call("DELETE", "/training", "").orThrow();
    }
  }

  private static String documents(int round) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < DOCUMENTS_PER_BULK; i++) {
      body.append("{\"index\": {}}\n")
          .append(document(round * DOCUMENTS_PER_BULK + i))
          .append('\n');
    }
    return body.toString();
  }

  private static String document(int number) {
    return "{\"title\": \"quiet river number %d\", \"tag\": \"tag%d\", \"at\": \"2025-01-%02dT10:00:00Z\", \"price\": %d.5, \"count\": %d, \"place\": \"%d.5,10\"}"
        .formatted(number, number % 7, 1 + number % 28, number % 100, number, number % 80);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
