package io.varve.engine.document;

import io.varve.engine.document.MappingPlan.Node;
import io.varve.rpc.ApiException;
import io.varve.search.mapping.Dynamic;
import io.varve.search.mapping.MappingAdditions;
import io.varve.search.mapping.MappingErrors;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Handles fields of a document that the mapping lacks, according to {@code dynamic} of the
 * enclosing object:
 *
 * <pre>
 *   true                       added to the mapping, recursively
 *   false                      skipped
 *   strict                     refused
 *   false_allow_templates      added if a template matches, otherwise skipped
 *   strict_allow_templates     added if a template matches, otherwise refused
 * </pre>
 *
 * Nothing is indexed here: a document with additions is parsed again once the mapping has them.
 */
final class UnmappedFields {

  private final JsonParser json;
  private final MappingPlan plan;
  private @Nullable MappingAdditions additions;

  UnmappedFields(JsonParser json, MappingPlan plan) {
    this.json = json;
    this.plan = plan;
  }

  /** The fields that the mapping lacks, {@code null} if none. */
  @Nullable MappingAdditions additions() {
    return additions == null || additions.isEmpty() ? null : additions;
  }

  /** Handles a value of {@code object} whose name is not mapped. */
  void introduce(Node.Branch object, String name, JsonToken token) {
    switch (object.dynamic()) {
      case FALSE -> Scalars.skip(json, token);
      case STRICT -> throw refused(object.dynamic(), object.path(), name);
      case TRUE, FALSE_ALLOW_TEMPLATES, STRICT_ALLOW_TEMPLATES ->
          note(object.field().pathOf(name), token, object.dynamic());
    }
  }

  /** Handles a value that {@code copy_to} copies to an unmapped field. */
  void introduceCopy(String target, Object value) {
    Node.Branch at = plan.root();
    String rest = target;
    for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.')) {
      if (!(at.child(rest.substring(0, dot)) instanceof Node.Branch inner)) {
        break;
      }
      at = inner;
      rest = rest.substring(dot + 1);
    }
    switch (at.dynamic()) {
      case FALSE -> {}
      case STRICT -> throw refused(at.dynamic(), at.path(), rest);
      case TRUE -> added().addValue(target, value);
      case FALSE_ALLOW_TEMPLATES, STRICT_ALLOW_TEMPLATES -> {
        if (!added().addTemplatedValue(target, value) && at.dynamic().refuses()) {
          throw refused(at.dynamic(), at.path(), rest);
        }
      }
    }
  }

  private static ApiException refused(Dynamic dynamic, String objectPath, String name) {
    return new ApiException(MappingErrors.strictDynamic(dynamic, objectPath, name));
  }

  /** As above, for a field of an object that is itself unmapped. */
  private static void requireLenient(Dynamic dynamic, String path) {
    if (dynamic.refuses()) {
      int dot = path.lastIndexOf('.');
      throw refused(dynamic, dot < 0 ? "" : path.substring(0, dot), path.substring(dot + 1));
    }
  }

  /** Records the mapping needed for a value of an unmapped field, recursively. */
  private void note(String path, JsonToken token, Dynamic dynamic) {
    switch (token) {
      case VALUE_NULL -> requireLenient(dynamic, path);
      case START_ARRAY -> {
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          note(path, next, dynamic);
        }
      }
      case START_OBJECT -> noteObject(path, dynamic);
      default -> {
        Object value = Scalars.read(json, token);
        if (dynamic == Dynamic.TRUE) {
          added().addValue(path, value);
        } else if (!added().addTemplatedValue(path, value)) {
          requireLenient(dynamic, path);
        }
      }
    }
  }

  private void noteObject(String path, Dynamic dynamic) {
    Map<String, Object> templated = added().addTemplatedObject(path);
    if (templated == null && dynamic != Dynamic.TRUE) {
      requireLenient(dynamic, path);
    }
    if (templated == null ? dynamic != Dynamic.TRUE : holdsValues(templated)) {
      Scalars.skip(json, JsonToken.START_OBJECT);
      return;
    }
    SeenNames seen = new SeenNames();
    boolean empty = templated == null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      seen.add(name, -1);
      FieldNames.check(path, name);
      JsonToken token = json.nextToken();
      if (dynamic != Dynamic.TRUE && hasProperty(templated, name)) {
        Scalars.skip(json, token);
      } else {
        note(path + "." + name, token, dynamic);
      }
      empty = false;
    }
    if (empty) {
      added().addObject(path);
    }
  }

  private static boolean hasProperty(@Nullable Map<String, Object> object, String name) {
    return object != null
        && object.get("properties") instanceof Map<?, ?> properties
        && properties.containsKey(name);
  }

  private static boolean holdsValues(Map<String, Object> definition) {
    Object type = definition.get("type");
    return type != null && !type.equals("object") && !type.equals("nested");
  }

  private MappingAdditions added() {
    MappingAdditions known = additions;
    if (known == null) {
      known = new MappingAdditions(plan.mapping());
      additions = known;
    }
    return known;
  }
}
