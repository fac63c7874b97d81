package io.varve.coordinator.security;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON Patch (RFC 6902) with the operations that OpenSearch's security plugin supports:
 *
 * <pre>
 *   add      sets a field of an object; inserts into a list before an index, or at its end: -
 *   remove   removes a field or an element, which must exist
 *   replace  replaces a field or an element, which must exist
 * </pre>
 *
 * No operation applies to the document itself. An operation that does not apply is refused with
 * 400.
 */
final class JsonPatch {

  private static final ObjectReader STRICT =
      Json.mapper().reader().with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
  private static final String SUPPORTED = "add,remove,replace";

  /**
   * An operation.
   *
   * @param parent the path of the parent of the changed value
   * @param last the last segment of the path
   */
  private record Operation(Kind kind, JsonPointer parent, JsonPointer last, JsonNode value) {

    String path() {
      return parent.toString() + last;
    }
  }

  private enum Kind {
    ADD,
    REMOVE,
    REPLACE
  }

  private final List<Operation> operations;

  private JsonPatch(List<Operation> operations) {
    this.operations = operations;
  }

  static JsonPatch of(byte[] body) {
    JsonNode patch = STRICT.readTree(body);
    if (!patch.isArray() || patch.isEmpty()) {
      throw RequestFields.refused("Wrong request body");
    }
    return new JsonPatch(patch.valueStream().map(JsonPatch::operation).toList());
  }

  private static Operation operation(JsonNode json) {
    Kind kind = kind(json.path("op"));
    JsonPointer path = path(json.path("path"));
    JsonNode value = json.path("value");
    if (kind != Kind.REMOVE && value.isMissingNode()) {
      throw RequestFields.refused("the operation on [" + path + "] has no [value]");
    }
    return new Operation(kind, path.head(), path.last(), value);
  }

  private static Kind kind(JsonNode name) {
    String text = name.isString() ? name.stringValue() : "";
    return Stream.of(Kind.values())
        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(() ->
            RequestFields.refused(
                "Unsupported patch operation: " + text + ". Supported are: " + SUPPORTED));
  }

  private static JsonPointer path(JsonNode text) {
    String path = text.isString() ? text.stringValue() : "";
    if (!path.startsWith("/")) {
      throw RequestFields.refused(
          "[path] of an operation must begin with a slash, was [" + path + "]");
    }
    return JsonPointer.compile(path);
  }

  /** Returns the changed document; the given one is not modified. */
  JsonNode appliedTo(JsonNode document) {
    JsonNode changed = document.deepCopy();
    operations.forEach(operation -> apply(operation, changed));
    return changed;
  }

  private static void apply(Operation operation, JsonNode document) {
    switch (document.at(operation.parent())) {
      case ObjectNode object -> apply(operation, object);
      case ArrayNode list -> apply(operation, list);
      default -> throw missing(operation);
    }
  }

  private static void apply(Operation operation, ObjectNode object) {
    String field = operation.last().getMatchingProperty();
    if (operation.kind() != Kind.ADD && !object.has(field)) {
      throw missing(operation);
    }
    if (operation.kind() == Kind.REMOVE) {
      object.remove(field);
    } else {
      object.set(field, operation.value().deepCopy());
    }
  }

  private static void apply(Operation operation, ArrayNode list) {
    int index = index(operation, list.size());
    switch (operation.kind()) {
      case ADD -> list.insert(index, operation.value().deepCopy());
      case REMOVE -> list.remove(index);
      case REPLACE -> list.set(index, operation.value().deepCopy());
    }
  }

  private static int index(Operation operation, int size) {
    boolean adds = operation.kind() == Kind.ADD;
    if (adds && operation.last().getMatchingProperty().equals("-")) {
      return size;
    }
    int index = operation.last().getMatchingIndex();
    if (index < 0 || index > (adds ? size : size - 1)) {
      throw missing(operation);
    }
    return index;
  }

  private static ApiException missing(Operation operation) {
    return RequestFields.refused(
        "can't "
            + operation.kind().name().toLowerCase(Locale.ROOT)
            + " ["
            + operation.path()
            + "]: there is no such place in the document");
  }
}
