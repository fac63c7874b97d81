package io.varve.coordinator.rest.document;

import io.varve.events.Json;
import io.varve.rest.DidYouMean;
import io.varve.rest.JsonErrors;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/**
 * The top-level fields in the body of an update, read in one pass. The shard parses the partial
 * document; this class only checks that it is an object.
 *
 * @param shown the parts of the document that the response contains; {@code null} if the body does
 *     not select them
 * @param present the other fields that are set: {@code doc}, {@code upsert}, and {@code
 *     doc_as_upsert} if true
 */
record UpdateFields(
    @Nullable SourceFilter shown, long ifSeqNo, long ifPrimaryTerm, Set<String> present) {

  private static final String DOC = "doc";
  private static final String UPSERT = "upsert";
  private static final String DOC_AS_UPSERT = "doc_as_upsert";

  /** Used for writes that are not updates. */
  static final UpdateFields NONE = new UpdateFields(null, WriteItem.UNASSIGNED, 0, Set.of());

  private static final List<String> KNOWN =
      List.of(
          "_source",
          "detect_noop",
          "doc",
          "doc_as_upsert",
          "if_primary_term",
          "if_seq_no",
          "script",
          "scripted_upsert",
          "upsert");

  /** Reads the body; rejects text that cannot be the body of an update. */
  static UpdateFields read(byte[] body, int from, int length) {
    try (JsonParser in = Json.mapper().createParser(body, from, length)) {
      return read(in);
    } catch (JacksonException e) {
      throw new ApiException(JsonErrors.of(e));
    }
  }

  private static UpdateFields read(JsonParser in) {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new ApiException(
          400, "parsing_exception", "Expected START_OBJECT but was " + in.currentToken());
    }
    SourceFilter shown = null;
    long ifSeqNo = WriteItem.UNASSIGNED;
    long ifPrimaryTerm = 0;
    Set<String> present = new HashSet<>();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      TokenStreamLocation at = in.currentTokenLocation();
      String name = in.currentName();
      JsonToken value = in.nextToken();
      check(name, value, at);
      switch (name) {
        case "_source" -> shown = SourceParameters.read(in);
        case "if_seq_no" -> ifSeqNo = in.getLongValue();
        case "if_primary_term" -> ifPrimaryTerm = in.getLongValue();
        case DOC_AS_UPSERT -> {
          if (value == JsonToken.VALUE_TRUE) {
            present.add(name);
          }
        }
        default -> {
          present.add(name);
          in.skipChildren();
        }
      }
    }
    return new UpdateFields(shown, ifSeqNo, ifPrimaryTerm, Set.copyOf(present));
  }

  private static void check(String name, JsonToken value, TokenStreamLocation at) {
    switch (name) {
      case DOC, UPSERT -> {
        if (value != JsonToken.START_OBJECT) {
          throw refused(
              at, name + " doesn't support values of type: " + BulkAction.name(value), List.of());
        }
      }
      case "script", "scripted_upsert" ->
          throw new ApiException(ErrorBody.illegalArgument("updates by script are not supported"));
      default -> {
        if (!KNOWN.contains(name)) {
          throw refused(at, "unknown field [" + name + "]", DidYouMean.to(name, KNOWN));
        }
      }
    }
  }

  /** Adds a problem for each combination of fields that is not allowed. */
  void check(long effectiveSeqNo, List<String> problems) {
    if (!present.contains(DOC)) {
      problems.add("script or doc is missing");
      if (present.contains(DOC_AS_UPSERT)) {
        problems.add("doc must be specified if doc_as_upsert is enabled");
      }
    }
    if (effectiveSeqNo != WriteItem.UNASSIGNED) {
      if (present.contains(DOC_AS_UPSERT)) {
        problems.add("compare and write operations can not be used with upsert");
      }
      if (present.contains(UPSERT)) {
        problems.add("upsert requests don't support `if_seq_no` and `if_primary_term`");
      }
    }
  }

  private static ApiException refused(TokenStreamLocation at, String what, List<String> near) {
    String hint =
        switch (near.size()) {
          case 0 -> "";
          case 1 -> " did you mean [" + near.getFirst() + "]?";
          default -> " did you mean any of " + near + "?";
        };
    return new ApiException(
        400,
        "x_content_parse_exception",
        "[" + at.getLineNr() + ":" + at.getColumnNr() + "] [UpdateRequest] " + what + hint);
  }
}
