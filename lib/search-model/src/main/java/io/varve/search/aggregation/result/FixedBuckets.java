package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Span;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.FixedPartial;
import io.varve.search.aggregation.partial.FixedPartial.Group;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce of filters and ranges. */
final class FixedBuckets {

  private final Finisher finisher;
  private final AggregationNode node;

  FixedBuckets(Finisher finisher, AggregationNode node) {
    this.finisher = finisher;
    this.node = node;
  }

  Result filters(BucketAggregation.Filters request, FixedPartial partial) {
    List<Result.Bucket> buckets = new ArrayList<>();
    finisher.limit().add(partial.groups().size());
    for (int i = 0; i < partial.groups().size(); i++) {
      String key = i < request.filters().size() ? request.filters().get(i).key() : request.other();
      buckets.add(
          bucket(null, key == null ? "" : key, new LinkedHashMap<>(), partial.groups().get(i)));
    }
    return new Result.Buckets("filters", Map.of(), buckets, request.keyed());
  }

  /** Ranges are sorted by their bounds, which are part of the response. */
  Result ranges(String type, List<Span> spans, boolean keyed, FixedPartial partial) {
    finisher.limit().add(partial.groups().size());
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < spans.size(); i++) {
      order.add(i);
    }
    Comparator<@Nullable Object> ends = KeyOrder.of(partial.format());
    order.sort(
        Comparator.<Integer, @Nullable Object>comparing(i -> partial.groups().get(i).from(), ends)
            .thenComparing(
                i -> partial.groups().get(i).to(),
                (a, b) ->
                    a == null || b == null
                        ? Boolean.compare(a == null, b == null)
                        : ends.compare(a, b)));
    List<Result.Bucket> buckets = new ArrayList<>();
    for (int i : order) {
      buckets.add(range(spans.get(i), keyed, partial.format(), partial.groups().get(i)));
    }
    return new Result.Buckets(type, Map.of(), buckets, keyed);
  }

  private Result.Bucket range(Span span, boolean keyed, ValueFormat format, Group group) {
    String given = span.key();
    String from = group.from() == null ? "*" : format.keyText(group.from());
    String to = group.to() == null ? "*" : format.keyText(group.to());
    String name = given == null ? from + "-" + to : given;
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (!keyed) {
      fields.put("key", name);
    }
    end("from", format, group.from(), from, fields);
    end("to", format, group.to(), to, fields);
    return bucket(name, name, fields, group);
  }

  private static void end(
      String name,
      ValueFormat format,
      @Nullable Object end,
      String text,
      Map<String, @Nullable Object> fields) {
    if (end == null) {
      return;
    }
    if (!(end instanceof Number)) {
      fields.put(name, text);
      return;
    }
    fields.put(name, end);
    if (format.isShown()) {
      fields.put(name + "_as_string", text);
    }
  }

  private Result.Bucket bucket(
      @Nullable Object key, String name, Map<String, @Nullable Object> fields, Group group) {
    fields.put("doc_count", group.documents().docCount());
    return new Result.Bucket(
        key,
        name,
        fields,
        group.documents().docCount(),
        finisher.finish(node.children(), group.documents().children()));
  }
}
