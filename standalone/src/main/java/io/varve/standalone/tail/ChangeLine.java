package io.varve.standalone.tail;

import io.varve.changes.Change;
import io.varve.events.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** A change as one line of JSON. */
final class ChangeLine {

  private ChangeLine() {}

  static String of(Change change) {
    ObjectNode line = Json.mapper().createObjectNode();
    line.put("index", change.index());
    line.put("shard", change.shard());
    line.put("_id", change.id());
    if (change.routing() != null) {
      line.put("_routing", change.routing());
    }
    line.put("_seq_no", change.seqNo());
    line.put("_primary_term", change.primaryTerm());
    line.put("_version", change.version());
    line.put("operation", change.kind().name().toLowerCase(Locale.ROOT));
    byte[] source = change.source();
    if (source == null) {
      return line.toString();
    }
    if (!isJson(source)) {
      line.put("_source_base64", Base64.getEncoder().encodeToString(source));
      return line.toString();
    }
    String head = line.toString();
    return head.substring(0, head.length() - 1) + ",\"_source\":" + oneLine(source) + "}";
  }

  /**
   * The first character that is not white space opens an object. Other formats begin differently.
   */
  private static boolean isJson(byte[] source) {
    for (byte next : source) {
      if (next == '{') {
        return true;
      }
      if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
        return false;
      }
    }
    return false;
  }

  /** A string in JSON has no line break, so those of the document are between its tokens. */
  private static String oneLine(byte[] source) {
    return new String(source, StandardCharsets.UTF_8).replace('\n', ' ').replace('\r', ' ').strip();
  }
}
