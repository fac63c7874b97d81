package io.varve.search.query;

import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A request for {@code inner_hits}: the nested objects, or the hits of a collapsed group, to return
 * with each hit.
 *
 * @param name key in the response, or null for the default (the nested path or the collapse field)
 */
public record InnerHits(@Nullable String name, boolean ignoreUnmapped, HitsRequest hits) {

  public static InnerHits parse(JsonValue value) {
    if (!(value instanceof JsonValue.Obj object)) {
      throw value.refused(
          "Expected [START_OBJECT] in [inner_hits] but found [" + value.token() + "]");
    }
    Fields fields = new Fields("inner_hits", object);
    String name = fields.takeString("name");
    boolean ignoreUnmapped = fields.takeBoolean("ignore_unmapped", false);
    return new InnerHits(name, ignoreUnmapped, HitsRequest.ofInnerHits(fields));
  }
}
