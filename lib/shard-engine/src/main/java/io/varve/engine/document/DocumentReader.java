package io.varve.engine.document;

import io.varve.engine.document.MappingPlan.Node;
import io.varve.engine.fields.FieldWriter;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.MappingAdditions;
import io.varve.search.mapping.MappingErrors;
import io.varve.search.mapping.ValueException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Converts a document from JSON to Lucene fields in one pass, without building a tree.
 *
 * <pre>
 *   mapping                document                 result
 *   a field of values      values, lists of them    fields
 *   an object              objects, lists of them   its fields in turn
 *   nothing                anything                 by dynamic: added to mapping, skipped or refused
 * </pre>
 *
 * Refusals are {@link ApiException}s; duplicate keys in an object are refused.
 */
public final class DocumentReader {

  private final JsonParser json;
  private final String id;
  private final MappingPlan plan;
  private final DocumentBlock block;
  private final UnmappedFields unmapped;

  public DocumentReader(JsonParser json, String id, MappingPlan plan) {
    this.json = json;
    this.id = id;
    this.plan = plan;
    this.unmapped = new UnmappedFields(json, plan);
    this.block = new DocumentBlock(id, plan.mapping());
  }

  public DocumentBlock block() {
    return block;
  }

  /** The fields that the mapping lacks, {@code null} if none. */
  public @Nullable MappingAdditions additions() {
    return unmapped.additions();
  }

  /** Reads the document; the parser must be at its first token. */
  public void read() {
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
      Scalars.skip(json, JsonToken.START_OBJECT);
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
      Scalars.skip(json, token);
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
    if (value != null) {
      writer.copyTo().forEach(target -> copy(target, value));
    }
  }

  /** Copies a value to the target field, in the document to which that field belongs. */
  private void copy(String target, Object value) {
    FieldWriter writer = plan.writers().get(target);
    if (writer == null) {
      unmapped.introduceCopy(target, value);
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

  /**
   * Handles a name that is not in the object's mapping; with dots it may be a path to a deeper
   * field.
   */
  private void readUnknown(Node.Branch object, String name) {
    FieldNames.check(object.path(), name);
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
      Scalars.skip(json, token);
    } else if (found != null) {
      readChild(found, rest, token);
    } else {
      unmapped.introduce(at, rest, token);
    }
  }

  public static ApiException failedToParse(ErrorBody cause) {
    return new ApiException(
        ErrorBody.of(400, "mapper_parsing_exception", "failed to parse").causedBy(cause));
  }
}
