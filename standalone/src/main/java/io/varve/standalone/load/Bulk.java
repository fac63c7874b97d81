package io.varve.standalone.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.load.LoadResult.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The documents of one bulk request whose outcome is not known yet. Used by one thread at a time.
 */
final class Bulk {

  private static final String ACTION = "{\"index\":{}}\n";
  private static final int BUSY = 429;

  private List<Entry> entries = new ArrayList<>();
  private long characters;

  private record Entry(String document, long line) {}

  void add(String document, long line) {
    entries.add(new Entry(document, line));
    characters += document.length();
  }

  int size() {
    return entries.size();
  }

  long characters() {
    return characters;
  }

  byte[] body() {
    StringBuilder body = new StringBuilder();
    for (Entry entry : entries) {
      body.append(ACTION).append(entry.document()).append('\n');
    }
    return body.toString().getBytes(UTF_8);
  }

  /**
   * Counts the outcomes that a response gives; the documents for which the server was too busy
   * remain.
   *
   * @return the number of indexed documents
   */
  long settle(JsonNode response, LoadTally tally) throws IOException {
    JsonNode items = response.path("items");
    if (items.size() != entries.size()) {
      throw new IOException(
          "the response has " + items.size() + " items for " + entries.size() + " documents");
    }
    List<Entry> busy = new ArrayList<>();
    long indexed = 0;
    for (int i = 0; i < entries.size(); i++) {
      JsonNode item = items.path(i).path("index");
      int status = item.path("status").asInt(0);
      if (status == BUSY) {
        busy.add(entries.get(i));
      } else if (item.has("error")) {
        tally.refused(refusal(status, item.path("error"), entries.get(i).line()));
      } else {
        indexed++;
      }
    }
    entries = busy;
    return indexed;
  }

  /** Counts all remaining documents as refused because the server is too busy. */
  void giveUp(int attempts, LoadTally tally) {
    String reason = "still too busy after " + attempts + " attempts";
    for (Entry entry : entries) {
      tally.refused(new Refusal(BUSY, "rejected_execution_exception", reason, entry.line(), 1));
    }
    entries = List.of();
  }

  private static Refusal refusal(int status, JsonNode error, long line) {
    return new Refusal(
        status, error.path("type").asString("error"), error.path("reason").asString(""), line, 1);
  }
}
