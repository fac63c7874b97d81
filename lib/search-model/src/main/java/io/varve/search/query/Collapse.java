package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;

/**
 * The request to return only the best hit for each value of a field.
 *
 * @param innerHits further hits of each group to return, each under its own name
 */
public record Collapse(String field, List<InnerHits> innerHits) {

  public Collapse {
    innerHits = List.copyOf(innerHits);
  }

  public static Collapse parse(JsonValue value) {
    return parse(value, true);
  }

  /** A collapse inside an {@code inner_hits}; it can't define {@code inner_hits} itself. */
  static Collapse ofInnerHits(JsonValue value) {
    return parse(value, false);
  }

  private static Collapse parse(JsonValue value, boolean withInnerHits) {
    if (!(value instanceof Obj object)) {
      throw value.refused(
          "Expected [START_OBJECT] in [collapse] but found [" + value.token() + "]");
    }
    Fields fields = new Fields("collapse", object);
    String field = fields.takeString("field");
    List<InnerHits> innerHits = withInnerHits ? innerHits(fields) : List.of();
    fields.refuseUnknown();
    if (field == null || field.isEmpty()) {
      throw illegal("collapse must be given a [field]");
    }
    return new Collapse(field, innerHits);
  }

  private static List<InnerHits> innerHits(Fields fields) {
    // Checked but not used, because the searches of all groups run concurrently.
    int concurrent = fields.takeInt("max_concurrent_group_searches", 1);
    if (concurrent < 1) {
      throw illegal("maxConcurrentGroupRequests must be positive");
    }
    List<InnerHits> innerHits = new ArrayList<>();
    switch (fields.take("inner_hits")) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> innerHits.add(InnerHits.parse(item)));
      case JsonValue one -> innerHits.add(InnerHits.parse(one));
    }
    return innerHits;
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
