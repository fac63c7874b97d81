package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest.PointInTime;
import io.varve.search.SearchRequest.Scope;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.query.SortKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the part of the data that is searched: a point in time, a slice.
 *
 * <p>A sort over a point in time gets {@code _shard_doc} as its last key, which makes the order
 * total, so that {@code search_after} neither skips nor repeats a document.
 */
final class ScopeParser {

  private ScopeParser() {}

  static Scope parse(Fields body) {
    JsonValue pit = body.take("pit");
    JsonValue slice = body.take("slice");
    JsonValue groups = body.take("stats");
    return pit == null && slice == null && groups == null
        ? Scope.ALL
        : new Scope(
            pit == null ? null : pit(pit),
            slice == null ? null : slice(slice),
            groups == null ? List.of() : groups(groups));
  }

  /** The groups of {@code stats} in which the search is counted. */
  private static List<String> groups(JsonValue value) {
    if (!(value instanceof JsonValue.Arr names)) {
      throw value.refused("Expected [START_ARRAY] in [stats] but found [" + value.token() + "]");
    }
    List<String> groups = new ArrayList<>();
    for (JsonValue name : names.items()) {
      if (!(name instanceof JsonValue.Scalar(var _, String group))) {
        throw name.refused("Expected [VALUE_STRING] in [stats] but found [" + name.token() + "]");
      }
      groups.add(group);
    }
    return List.copyOf(groups);
  }

  static boolean needsTieBreak(List<SortKey> sort) {
    return !sort.isEmpty() && sort.stream().noneMatch(key -> key.isDoc() || key.isShardDoc());
  }

  static List<SortKey> withTieBreak(List<SortKey> sort) {
    List<SortKey> broken = new ArrayList<>(sort);
    broken.add(SortKey.by(SortKey.SHARD_DOC, false));
    return broken;
  }

  private static PointInTime pit(JsonValue value) {
    Fields fields = new Fields("pit", object("pit", value));
    String id = fields.takeString("id");
    String keepAlive = fields.takeString("keep_alive");
    refuseRest("pit", fields);
    if (id == null || id.isEmpty()) {
      throw illegal("Required [id]: a point in time is named by its id");
    }
    return new PointInTime(id, keepAlive);
  }

  private static Slice slice(JsonValue value) {
    Fields fields = new Fields("slice", object("slice", value));
    String field = fields.takeString("field");
    int id = fields.takeInt("id", -1);
    int max = fields.takeInt("max", -1);
    refuseRest("slice", fields);
    if (id < 0) {
      throw illegal("id must be greater than or equal to 0");
    }
    if (max <= 1) {
      throw illegal("max must be greater than 1");
    }
    if (id >= max) {
      throw illegal("max must be greater than id");
    }
    return new Slice(field, id, max);
  }

  private static Obj object(String name, JsonValue value) {
    if (value instanceof Obj object) {
      return object;
    }
    throw value.refused(
        "Expected [START_OBJECT] in [" + name + "] but found [" + value.token() + "]");
  }

  private static void refuseRest(String name, Fields fields) {
    if (!fields.rest().isEmpty()) {
      @Nullable String first = fields.rest().keySet().iterator().next();
      throw new ApiException(
          400, "x_content_parse_exception", "[" + name + "] unknown field [" + first + "]");
    }
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
