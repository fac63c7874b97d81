package io.varve.coordinator.rest.document;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.VersionType;
import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The action line before a document: {@code {"index":{"_index":"a","_id":"1"}}}. */
final class BulkAction {

  final WriteItem.Kind kind;
  @Nullable String index;
  @Nullable String id;
  @Nullable String routing;
  long ifSeqNo = WriteItem.UNASSIGNED;
  long ifPrimaryTerm;
  long version = WriteItem.UNASSIGNED;
  VersionType versionType = VersionType.INTERNAL;
  boolean requireAlias;

  /**
   * The {@code _source} of the line, which selects the parts of the document that an update
   * returns; {@code null} if missing.
   */
  @Nullable SourceFilter shown;

  @Nullable String pipeline;

  /** Whether an index action has {@code op_type: create}. */
  private boolean opTypeCreate;

  private BulkAction(WriteItem.Kind kind, BulkDefaults defaults) {
    this.kind = kind;
    this.index = defaults.index();
    this.routing = defaults.routing();
    this.requireAlias = defaults.requireAlias();
    this.shown = defaults.shown();
  }

  /** Reads an action line; returns {@code null} for an empty line. */
  static @Nullable BulkAction read(JsonParser in, int line, BulkDefaults defaults) {
    JsonToken token = in.nextToken();
    if (token == null) {
      return null;
    }
    expect(JsonToken.START_OBJECT, token, line);
    expect(JsonToken.PROPERTY_NAME, in.nextToken(), line);
    BulkAction action = new BulkAction(kind(in.currentName(), line), defaults);
    token = in.nextToken();
    if (token == JsonToken.START_OBJECT) {
      action.readFields(in, line);
    } else if (token != JsonToken.END_OBJECT) {
      throw malformed(line, "expected START_OBJECT or END_OBJECT but found [" + name(token) + "]");
    }
    expect(JsonToken.END_OBJECT, in.nextToken(), line);
    return action;
  }

  private static WriteItem.Kind kind(String action, int line) {
    return switch (action) {
      case "index" -> WriteItem.Kind.INDEX;
      case "create" -> WriteItem.Kind.CREATE;
      case "update" -> WriteItem.Kind.UPDATE;
      case "delete" -> WriteItem.Kind.DELETE;
      default ->
          throw malformed(
              line,
              "expected field [create], [delete], [index] or [update] but found [" + action + "]");
    };
  }

  private void readFields(JsonParser in, int line) {
    WriteItem.Kind given = kind;
    boolean create = false;
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = in.currentName();
      JsonToken value = in.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      if (!value.isScalarValue()) {
        readStructure(in, field, value, line);
      } else if (field.equals("op_type")) {
        create = given == WriteItem.Kind.INDEX && in.getString().equals("create");
        if (!create && !in.getString().equals("index")) {
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "opType must be 'create' or 'index', found: [" + in.getString() + "]"));
        }
      } else {
        read(in, field, line);
      }
    }
    opTypeCreate = create;
  }

  WriteItem.Kind effectiveKind() {
    return opTypeCreate ? WriteItem.Kind.CREATE : kind;
  }

  private void readStructure(JsonParser in, String field, JsonToken value, int line) {
    if (!field.equals("_source")) {
      throw malformed(
          line,
          "expected a simple value for field [" + field + "] but found [" + name(value) + "]");
    }
    shown = SourceParameters.read(in);
  }

  private void read(JsonParser in, String field, int line) {
    switch (field) {
      case "_index" -> index = in.getString();
      case "_id" -> id = in.getString();
      case "routing" -> routing = in.getString();
      case "if_seq_no" -> ifSeqNo = in.getLongValue();
      case "if_primary_term" -> ifPrimaryTerm = in.getLongValue();
      case "version" -> version = in.getLongValue();
      case "version_type" -> versionType = Versions.type(in.getString());
      case "require_alias" -> requireAlias = in.getBooleanValue();
      case "_source" -> shown = SourceParameters.of((Object) in.getString());
      case "pipeline" -> pipeline = in.getString();
      // Accepted without effect: the primary executes writes one after the other, so there is no
      // conflict to retry.
      case "retry_on_conflict" -> in.getIntValue();
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Action/metadata line ["
                      + line
                      + "] contains an unknown parameter ["
                      + field
                      + "]"));
    }
  }

  private static void expect(JsonToken expected, @Nullable JsonToken found, int line) {
    if (found != expected) {
      throw malformed(line, "expected " + name(expected) + " but found [" + name(found) + "]");
    }
  }

  /** Returns the token's name in error messages. */
  static String name(@Nullable JsonToken token) {
    return switch (token) {
      case null -> "null";
      case PROPERTY_NAME -> "FIELD_NAME";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "VALUE_NUMBER";
      case VALUE_TRUE, VALUE_FALSE -> "VALUE_BOOLEAN";
      default -> token.name();
    };
  }

  private static ApiException malformed(int line, String what) {
    return new ApiException(
        ErrorBody.illegalArgument("Malformed action/metadata line [" + line + "], " + what));
  }
}
