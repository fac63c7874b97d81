package io.varve.standalone.demo;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.io.PrintStream;
import tools.jackson.databind.JsonNode;

/** The report at the end of the demo: statistics of the load, and a few searches on the replica. */
final class DemoReport {

  private static final int MAX_VALUE_LENGTH = 96;

  private final RestCalls rest;
  private final String index;
  private final PrintStream out;

  DemoReport(RestCalls rest, String index, PrintStream out) {
    this.rest = rest;
    this.index = index;
    this.out = out;
  }

  void print(Corpus corpus, long acked, double seconds, LagSampler lag) throws IOException {
    JsonNode stats = rest.get("/" + index + "/_stats").orThrow().json().path("_all");
    JsonNode primaries = stats.path("primaries");
    JsonNode copied =
        rest.get("/_cat/segment_replication/" + index + "?format=json&bytes=b&detailed=true")
            .json();
    JsonNode replica = copied.path(0);
    out.println();
    row(
        "documents",
        String.format("%,d acked in %.1f s: %,.0f documents/s", acked, seconds, acked / seconds));
    row(
        "refreshes",
        String.format(
            "%,d, each published as a manifest",
            primaries.path("refresh").path("total").asLong(0)));
    row(
        "segments",
        String.format(
            "%d on the primary, %s on disk",
            primaries.path("segments").path("count").asLong(0),
            bytes(primaries.path("store").path("size_in_bytes").asLong(0))));
    row(
        "copied",
        String.format(
            "%s files, %s to the replica; nothing was indexed twice",
            replica.path("files_fetched").asString("?"),
            bytes(number(replica.path("bytes_fetched")))));
    row(
        "lag",
        lag.quantileMillis(0.5) < 0
            ? "no refresh was copied while sampling"
            : String.format(
                "visible on the replica p50 %d ms, p99 %d ms after the primary's refresh",
                lag.quantileMillis(0.5), lag.quantileMillis(0.99)));
    out.println();
    out.println("Searches on the replica:");
    for (Corpus.Question question : corpus.questions()) {
      search(question);
    }
  }

  /**
   * @param followedMillis the time from the last ack until the follower held all operations
   */
  void printFollower(LagSampler lag, double followedMillis) {
    out.println();
    row(
        "follower",
        lag.quantileMillis(0.5) < 0
            ? "its lag was not sampled"
            : String.format(
                "lag p50 %d ms, p99 %d ms under the load",
                lag.quantileMillis(0.5), lag.quantileMillis(0.99)));
    row("", String.format("held all operations %,.0f ms after the last ack", followedMillis));
  }

  private void row(String name, String value) {
    out.printf("  %-10s %s%n", name, value);
  }

  private void search(Corpus.Question question) throws IOException {
    JsonNode answer =
        rest.call("POST", "/" + index + "/_search?preference=_replica", question.body())
            .orThrow()
            .json();
    out.printf(
        "  %s  (%,d hits, %d ms)%n",
        question.title(),
        answer.path("hits").path("total").path("value").asLong(0),
        answer.path("took").asLong(0));
    for (JsonNode hit : answer.path("hits").path("hits")) {
      out.println("    " + line(hit.path("_source"), question));
    }
  }

  private static String line(JsonNode source, Corpus.Question question) {
    if (question.fields().isEmpty()) {
      return cut(source.toString());
    }
    StringBuilder line = new StringBuilder();
    for (String field : question.fields()) {
      line.append(line.isEmpty() ? "" : "  ").append(source.path(field).asString("").strip());
    }
    return cut(line.toString().replace('\n', ' '));
  }

  private static String cut(String text) {
    return text.length() <= MAX_VALUE_LENGTH ? text : text.substring(0, MAX_VALUE_LENGTH) + " ...";
  }

  private static long number(JsonNode text) {
    String digits = text.asString("0");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }

  private static String bytes(long count) {
    return count < 1 << 20
        ? String.format("%,.1f KB", count / 1024.0)
        : String.format("%,.1f MB", count / (1024.0 * 1024));
  }
}
