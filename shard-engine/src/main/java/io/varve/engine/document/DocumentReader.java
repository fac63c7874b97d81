package io.varve.engine.document;

import io.varve.engine.document.MappingPlan.Node;
import io.varve.engine.fields.FieldWriter;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.MappingAdditions;
import io.varve.search.mapping.MappingErrors;
import io.varve.search.mapping.ValueException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * One document on its way from JSON to Lucene's fields, in one pass and without a tree.
 *
 * <pre>
 *   the mapping has        the document brings      what happens
 *   a field of values      values, lists of them    fields
 *   an object              objects, lists of them   its fields in turn
 *   nothing                anything                 dynamic: noted as an addition, skipped or refused
 * </pre>
 *
 * Refusals are {@link ApiException}s; a key that stands twice in an object is one of them.
 */
final class DocumentReader {

  private static final Set<String> META =
      Set.of(
          "_id",
          "_index",
          "_source",
          "_routing",
          "_field_names",
          "_ignored",
          "_seq_no",
          "_primary_term",
          "_version",
          "_tombstone",
          "__soft_deletes");

  private final JsonParser json;
  private final String id;
  private final MappingPlan plan;
  private final DocumentBlock block;
  private @Nullable MappingAdditions additions;

  DocumentReader(JsonParser json, String id, MappingPlan plan) {
    this.json = json;
    this.id = id;
    this.plan = plan;
    this.block = new DocumentBlock(id, plan.mapping());
  }

  DocumentBlock block() {
    return block;
  }

  /** What the mapping lacks, {@code null} if nothing. */
  @Nullable MappingAdditions additions() {
    return additions;
  }

  /** Reads the document whose first token the parser stands at. */
  void read() {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw failedToParse(
          ErrorBody.of(
              400,
              "not_x_content_exception",
              "Compressor detection can only be called on some xcontent bytes or compressed"
                  + " xcontent bytes"));
    }
    if (plan.root().field().enabled()) {
      readObject(plan.root());
    } else {
      skip(JsonToken.START_OBJECT);
    }
    if (json.nextToken() != null) {
      throw failedToParse(
          ErrorBody.illegalArgument(
              "Malformed content, found extra data after parsing: " + json.currentToken()));
    }
  }

  private void readObject(Node.Branch object) {
    SeenNames seen = new SeenNames();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      Node child = object.child(name);
      seen.add(name, child == null ? -1 : child.ordinal());
      if (child == null) {
        readUnknown(object, name);
      } else {
        readChild(child, name, json.nextToken());
      }
    }
  }

  private void readChild(Node child, String name, JsonToken token) {
    switch (child) {
      case Node.Leaf leaf -> readLeaf(leaf, token);
      case Node.Branch branch -> readBranch(branch, name, token);
      case Node.Alias alias ->
          throw failedToParse(
              ErrorBody.illegalArgument(
                  "Cannot write to a field alias [" + alias.field().path() + "]."));
    }
  }

  private void readBranch(Node.Branch branch, String name, JsonToken token) {
    if (!branch.field().enabled()) {
      skip(token);
      return;
    }
    switch (token) {
      case START_OBJECT -> {
        if (branch.field().isNested()) {
          block.open(branch.field());
          readObject(branch);
          block.close();
        } else {
          readObject(branch);
        }
      }
      case START_ARRAY -> {
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          readBranch(branch, name, next);
        }
      }
      case VALUE_NULL -> {}
      default ->
          throw new ApiException(
              400,
              "mapper_parsing_exception",
              "object mapping for ["
                  + branch.path()
                  + "] tried to parse field ["
                  + name
                  + "] as object, but found a concrete value");
    }
  }

  private void readLeaf(Node.Leaf leaf, JsonToken token) {
    if (leaf.wantsWhole()) {
      addValue(leaf.writer(), Scalars.readWhole(json, token));
      return;
    }
    switch (token) {
      case START_ARRAY -> {
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          readLeaf(leaf, next);
        }
      }
      case START_OBJECT -> throw objectForValue(leaf.field());
      case VALUE_NULL -> addValue(leaf.writer(), null);
      default ->
          addValue(leaf.writer(), leaf.wantsText() ? json.getString() : Scalars.read(json, token));
    }
  }

  private void addValue(FieldWriter writer, @Nullable Object value) {
    LeafField field = writer.field();
    try {
      writer.add(value, block);
    } catch (ValueException e) {
      throw new ApiException(
          MappingErrors.failedToParse(field, id, String.valueOf(value), e.error()));
    }
    if (!field.copyTo().isEmpty() && value != null) {
      field.copyTo().forEach(target -> copy(target, value));
    }
  }

  /** The other field gets the value in the document that it belongs to. */
  private void copy(String target, Object value) {
    FieldWriter writer = plan.writers().get(target);
    if (writer == null) {
      note(target, value);
      return;
    }
    block.inDocumentOf(
        target,
        () -> {
          try {
            writer.add(value, block);
          } catch (ValueException e) {
            throw new ApiException(
                MappingErrors.failedToParse(writer.field(), id, String.valueOf(value), e.error()));
          }
        });
  }

  private void note(String target, Object value) {
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
      case STRICT -> throw new ApiException(MappingErrors.strictDynamic(at.path(), rest));
      case TRUE -> added().addValue(target, value);
    }
  }

  private ApiException objectForValue(LeafField field) {
    int line = json.currentTokenLocation().getLineNr();
    int column = json.currentTokenLocation().getColumnNr();
    Object value = Scalars.readWhole(json, JsonToken.START_OBJECT);
    return new ApiException(
        MappingErrors.failedToParse(
            field,
            id,
            String.valueOf(value),
            ErrorBody.of(
                400,
                "illegal_state_exception",
                "Can't get text on a START_OBJECT at " + line + ":" + column)));
  }

  /** A name that the object lacks: with dots it may be a way to a field further down. */
  private void readUnknown(Node.Branch object, String name) {
    checkName(object, name);
    Node.Branch at = object;
    String rest = name;
    for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.')) {
      if (!(at.child(rest.substring(0, dot)) instanceof Node.Branch inner)) {
        break;
      }
      at = inner;
      rest = rest.substring(dot + 1);
    }
    Node found = at.child(rest);
    JsonToken token = json.nextToken();
    if (!at.field().enabled()) {
      skip(token);
    } else if (found != null) {
      readChild(found, rest, token);
    } else {
      introduce(at, rest, token);
    }
  }

  private void checkName(Node.Branch object, String name) {
    if (name.isBlank() || name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
      throw failedToParse(
          ErrorBody.illegalArgument(
              name.isEmpty()
                  ? "field name cannot be an empty string"
                  : name.chars().allMatch(c -> c == '.')
                      ? "field name cannot contain only the character [.]"
                      : "object field starting or ending with a [.] makes object resolution ambiguous: ["
                          + name
                          + "]"));
    }
    if (META.contains(name) && object.path().isEmpty()) {
      throw new ApiException(
          400,
          "mapper_parsing_exception",
          "Field ["
              + name
              + "] is a metadata field and cannot be added inside a document. Use the index API"
              + " request parameters.");
    }
  }

  private void introduce(Node.Branch object, String name, JsonToken token) {
    switch (object.dynamic()) {
      case FALSE -> skip(token);
      case STRICT -> throw new ApiException(MappingErrors.strictDynamic(object.path(), name));
      case TRUE -> note(object.field().pathOf(name), token);
    }
  }

  /** Notes what a value of an unmapped field needs, all the way down. */
  private void note(String path, JsonToken token) {
    switch (token) {
      case VALUE_NULL -> {}
      case START_ARRAY -> {
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          note(path, next);
        }
      }
      case START_OBJECT -> {
        Map<String, Object> templated = added().addTemplatedObject(path);
        if (templated != null && holdsValues(templated)) {
          skip(token);
          return;
        }
        SeenNames seen = new SeenNames();
        boolean empty = templated == null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          seen.add(name, -1);
          checkName(plan.root(), name);
          note(path + "." + name, json.nextToken());
          empty = false;
        }
        if (empty) {
          added().addObject(path);
        }
      }
      default -> added().addValue(path, Scalars.read(json, token));
    }
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

  /** Passes over a value; duplicate keys in it are refused like everywhere else. */
  private void skip(JsonToken token) {
    if (token == JsonToken.START_ARRAY) {
      for (JsonToken next = json.nextToken();
          next != JsonToken.END_ARRAY;
          next = json.nextToken()) {
        skip(next);
      }
    } else if (token == JsonToken.START_OBJECT) {
      SeenNames seen = new SeenNames();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        seen.add(json.currentName(), -1);
        skip(json.nextToken());
      }
    }
  }

  static ApiException failedToParse(ErrorBody cause) {
    return new ApiException(
        ErrorBody.of(400, "mapper_parsing_exception", "failed to parse").causedBy(cause));
  }
}
