package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.RarePartial;
import io.varve.search.aggregation.partial.SinglePartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce of {@code rare_terms}: sorts the rarest terms first. */
final class RareBuckets {

  private RareBuckets() {}

  static Result finish(Finisher finisher, AggregationNode node, RarePartial partial) {
    List<Map.Entry<Object, SinglePartial>> entries = new ArrayList<>(partial.rare().entrySet());
    entries.sort(
        Comparator.<Map.Entry<Object, SinglePartial>>comparingLong(
                entry -> entry.getValue().docCount())
            .thenComparing(Map.Entry::getKey, KeyOrder.of(partial.format())));
    finisher.limit().add(entries.size());
    List<Result.Bucket> buckets = new ArrayList<>(entries.size());
    for (Map.Entry<Object, SinglePartial> entry : entries) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      List<ValueFormat> formats = List.of(partial.format());
      String name = TermBuckets.key(partial.kind(), formats, entry.getKey(), fields);
      fields.put("doc_count", entry.getValue().docCount());
      buckets.add(
          new Result.Bucket(
              entry.getKey(),
              name,
              fields,
              entry.getValue().docCount(),
              finisher.finish(node.children(), entry.getValue().children())));
    }
    return new Result.Buckets(typeName(partial.kind()), Map.of(), buckets, false);
  }

  private static String typeName(Kind kind) {
    return switch (kind) {
      case UNMAPPED -> "umrareterms";
      case BYTES, SEVERAL -> "srareterms";
      default -> "lrareterms";
    };
  }
}
