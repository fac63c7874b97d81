package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation.Composite;
import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.CompositePartial;
import io.varve.search.aggregation.partial.SinglePartial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce of {@code composite}: the first buckets in order, and the {@code after_key}. */
final class CompositeBuckets {

  private final Finisher finisher;
  private final AggregationNode node;
  private final Composite request;

  CompositeBuckets(Finisher finisher, AggregationNode node, Composite request) {
    this.finisher = finisher;
    this.node = node;
    this.request = request;
  }

  Result finish(CompositePartial partial) {
    finisher.limit().check(request.size());
    List<Result.Bucket> buckets = new ArrayList<>();
    first(partial, request, request.size())
        .forEach((key, group) -> buckets.add(bucket(partial.formats(), (List<?>) key, group)));
    finisher.limit().add(buckets.size());
    Map<String, @Nullable Object> head = new LinkedHashMap<>();
    if (!buckets.isEmpty()) {
      head.put("after_key", buckets.getLast().fields().get("key"));
    }
    return new Result.Buckets("composite", head, buckets, false);
  }

  /** The first buckets in order. */
  static Map<Object, SinglePartial> first(CompositePartial partial, Composite request, int most) {
    List<Map.Entry<Object, SinglePartial>> entries = new ArrayList<>(partial.buckets().entrySet());
    CompositeOrder order = new CompositeOrder(request.sources(), partial.formats());
    entries.sort((a, b) -> order.compare(a.getKey(), b.getKey()));
    Map<Object, SinglePartial> first = new LinkedHashMap<>();
    for (Map.Entry<Object, SinglePartial> entry :
        entries.subList(0, Math.min(most, entries.size()))) {
      first.put(entry.getKey(), entry.getValue());
    }
    return first;
  }

  private Result.Bucket bucket(List<ValueFormat> formats, List<?> key, SinglePartial group) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    for (int i = 0; i < key.size(); i++) {
      ValueFormat format = formats.get(i);
      Object part = key.get(i);
      shown.put(request.sources().get(i).name(), shown(format, i, part));
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("key", shown);
    fields.put("doc_count", group.docCount());
    return new Result.Bucket(
        key,
        shown.toString(),
        fields,
        group.docCount(),
        finisher.finish(node.children(), group.children()));
  }

  /** Dates are returned as numbers unless a format was requested. */
  private @Nullable Object shown(ValueFormat format, int source, @Nullable Object part) {
    return switch (part) {
      case null -> null;
      case Long whole when format instanceof ValueFormat.Truth -> whole != 0;
      case Long whole when request.sources().get(source) instanceof CompositeSource.OfGeotile ->
          GeoTiles.text(whole);
      case Number number when format.isShown() && hasFormat(source) -> format.keyText(part);
      default -> format.keyJson(part);
    };
  }

  private boolean hasFormat(int source) {
    return CompositeSources.source(request.sources().get(source)).format() != null;
  }
}
