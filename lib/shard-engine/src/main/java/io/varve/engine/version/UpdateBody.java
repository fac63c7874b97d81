package io.varve.engine.version;

import io.varve.events.Json;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of the update API: changes to a document, and the document to create if there is none.
 */
sealed interface UpdateBody {

  /** The body is invalid. */
  record Refused(ErrorBody error) implements UpdateBody {}

  /**
   * Changes to merge.
   *
   * @param doc merged into the document: objects recursively, other values replaced
   * @param upsert the document to create if there is none
   */
  record Changes(
      @Nullable ObjectNode doc,
      @Nullable ObjectNode upsert,
      boolean docAsUpsert,
      boolean detectNoop)
      implements UpdateBody {

    /** The document to create if there is none; {@code null} if that is an error. */
    byte @Nullable [] upsertSource() {
      ObjectNode begin = docAsUpsert ? doc : upsert;
      return begin == null ? null : Json.mapper().writeValueAsBytes(begin);
    }

    /** The changed document; {@code null} if the changes have no effect. */
    byte @Nullable [] mergedInto(byte[] source) {
      ObjectNode document = (ObjectNode) TREES.readTree(source);
      boolean changed = doc != null && merge(document, doc);
      return changed || !detectNoop ? Json.mapper().writeValueAsBytes(document) : null;
    }
  }

  /** Preserves the client's JSON: duplicate keys are an error, and decimals keep their digits. */
  ObjectReader TREES =
      Json.mapper()
          .readerFor(JsonNode.class)
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .with(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);

  static UpdateBody parse(byte[] body, int from, int length) {
    JsonNode tree;
    try {
      tree = TREES.readValue(body, from, length);
    } catch (JacksonException e) {
      return refused("parsing_exception", "Failed to parse update: " + e.getOriginalMessage());
    }
    if (!(tree instanceof ObjectNode fields)) {
      return refused("parsing_exception", "an update's body must be an object");
    }
    return ofFields(fields);
  }

  private static UpdateBody ofFields(ObjectNode fields) {
    Changes changes = new Changes(null, null, false, true);
    for (Map.Entry<String, JsonNode> field : fields.properties()) {
      JsonNode value = field.getValue();
      switch (field.getKey()) {
        case "doc", "upsert" -> {
          if (!(value instanceof ObjectNode object)) {
            return refused(
                "x_content_parse_exception",
                "[UpdateRequest] " + field.getKey() + " doesn't support values of this type");
          }
          changes =
              field.getKey().equals("doc")
                  ? new Changes(object, changes.upsert, changes.docAsUpsert, changes.detectNoop)
                  : new Changes(changes.doc, object, changes.docAsUpsert, changes.detectNoop);
        }
        case "doc_as_upsert" ->
            changes =
                new Changes(
                    changes.doc, changes.upsert, value.asBoolean(false), changes.detectNoop);
        case "detect_noop" ->
            changes =
                new Changes(
                    changes.doc, changes.upsert, changes.docAsUpsert, value.asBoolean(true));
        case "script", "scripted_upsert" -> {
          return refused("illegal_argument_exception", "updates by script are not supported");
        }
        case "_source", "if_seq_no", "if_primary_term" -> {
          // Handled by the coordinator.
        }
        default -> {
          return refused(
              "x_content_parse_exception",
              "[UpdateRequest] unknown field [" + field.getKey() + "]");
        }
      }
    }
    return checked(changes);
  }

  private static UpdateBody checked(Changes changes) {
    if (changes.doc != null) {
      return changes;
    }
    return refused(
        "action_request_validation_exception",
        changes.docAsUpsert
            ? "Validation Failed: 1: script or doc is missing;2: doc must be specified if"
                + " doc_as_upsert is enabled;"
            : "Validation Failed: 1: script or doc is missing;");
  }

  private static Refused refused(String type, String reason) {
    return new Refused(ErrorBody.of(400, type, reason));
  }

  /** Merges {@code changes} into {@code document}; returns whether that changed anything. */
  private static boolean merge(ObjectNode document, ObjectNode changes) {
    boolean changed = false;
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      JsonNode before = document.get(change.getKey());
      if (before instanceof ObjectNode inner && change.getValue() instanceof ObjectNode more) {
        changed |= merge(inner, more);
      } else if (!change.getValue().equals(before)) {
        document.set(change.getKey(), change.getValue());
        changed = true;
      }
    }
    return changed;
  }
}
