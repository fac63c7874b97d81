package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.NamedFilter;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.query.QueryParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Parses aggregations whose buckets are defined by queries. */
final class FilterParsers {

  private FilterParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "filter" -> filter(fields);
      case "filters" -> filters(fields);
      case "missing" -> new BucketAggregation.Missing(Sources.of(fields));
      case "nested" -> {
        String path = fields.takeString("path");
        if (path == null) {
          throw AggregationFields.illegal(
              "Missing [path] field for nested aggregation [" + fields.name() + "]");
        }
        yield new BucketAggregation.Nested(path);
      }
      case "reverse_nested" -> new BucketAggregation.ReverseNested(fields.takeString("path"));
      default -> new BucketAggregation.Global();
    };
  }

  /** Parses {@code filter}, whose whole body is the query. */
  private static BucketAggregation filter(AggregationFields fields) {
    Obj query = fields.object();
    List.copyOf(query.fields().keySet()).forEach(fields::take);
    return new BucketAggregation.Filter(QueryParser.parse(query));
  }

  private static BucketAggregation filters(AggregationFields fields) {
    JsonValue value = fields.take("filters");
    List<NamedFilter> filters = new ArrayList<>();
    switch (value) {
      case null -> throw AggregationFields.illegal("[filters] cannot be empty.");
      case Obj named ->
          named
              .fields()
              .forEach(
                  (name, query) -> filters.add(new NamedFilter(name, QueryParser.parse(query))));
      case Arr anonymous ->
          anonymous
              .items()
              .forEach(query -> filters.add(new NamedFilter(null, QueryParser.parse(query))));
      default -> throw fields.unsupported("filters", value);
    }
    if (filters.isEmpty()) {
      throw AggregationFields.illegal("[filters] cannot be empty.");
    }
    boolean named = value instanceof Obj;
    if (named) {
      // OpenSearch returns named filters sorted by name.
      filters.sort(Comparator.comparing(filter -> String.valueOf(filter.key())));
    }
    boolean keyed = fields.takeBoolean("keyed", true) && named;
    boolean givenKey = fields.has("other_bucket_key");
    boolean other = fields.takeBoolean("other_bucket", givenKey);
    String otherKey = fields.takeString("other_bucket_key");
    return new BucketAggregation.Filters(
        filters, keyed, other ? (otherKey == null ? "_other_" : otherKey) : null);
  }
}
