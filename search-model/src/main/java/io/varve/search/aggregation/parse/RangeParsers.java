package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Span;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.List;

/** Reads ranges. */
final class RangeParsers {

  private RangeParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    boolean keyed = fields.takeBoolean("keyed", false);
    List<Span> spans = spans(fields);
    FieldSource source = Sources.of(fields);
    return new BucketAggregation.Range(source, spans, keyed);
  }

  private static List<Span> spans(AggregationFields fields) {
    Arr array = fields.takeArray("ranges");
    if (array == null || array.items().isEmpty()) {
      throw AggregationFields.illegal(
          "No [ranges] specified for the [" + fields.name() + "] aggregation");
    }
    List<Span> spans = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Obj object)) {
        throw fields.unsupported("ranges", item);
      }
      spans.add(span(fields.within("range", object)));
    }
    return spans;
  }

  private static Span span(AggregationFields fields) {
    String key = fields.takeString("key");
    Object from = fields.takeScalar("from");
    Object to = fields.takeScalar("to");
    fields.end("key", "from", "to", "mask");
    return new Span(key, from, to);
  }
}
