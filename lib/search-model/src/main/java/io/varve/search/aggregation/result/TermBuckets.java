package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The final reduce of terms: sorts them, selects the first ones and computes the error bounds. */
final class TermBuckets {

  private final Finisher finisher;
  private final AggregationNode node;
  private final BucketOrder order;
  private final Thresholds thresholds;
  private final boolean showError;

  TermBuckets(
      Finisher finisher,
      AggregationNode node,
      BucketOrder order,
      Thresholds thresholds,
      boolean showError) {
    this.finisher = finisher;
    this.node = node;
    this.order = order;
    this.thresholds = thresholds;
    this.showError = showError;
  }

  Result.Buckets finish(TermsPartial partial) {
    TermSelection.Selected selected =
        TermSelection.select(
            partial, node.children(), order, thresholds.size(), thresholds.minDocCount());
    long error = partial.parts() <= 1 ? Math.min(partial.error(), 0) : partial.error();
    Map<String, @Nullable Object> head = new LinkedHashMap<>();
    head.put("doc_count_error_upper_bound", error);
    head.put("sum_other_doc_count", selected.others());
    List<Result.Bucket> buckets = new ArrayList<>(selected.entries().size());
    finisher.limit().add(selected.entries().size());
    for (Map.Entry<Object, TermsPartial.Bucket> entry : selected.entries()) {
      buckets.add(bucket(partial, entry.getKey(), entry.getValue(), error));
    }
    return new Result.Buckets(typeName(partial.kind()), head, buckets, false);
  }

  private Result.Bucket bucket(
      TermsPartial partial, Object key, TermsPartial.Bucket bucket, long error) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    String name = key(partial.kind(), partial.formats(), key, fields);
    fields.put("doc_count", bucket.docCount());
    if (showError) {
      long seen = partial.parts() <= 1 ? 0 : bucket.errorSeen();
      fields.put(
          "doc_count_error_upper_bound",
          error == TermsPartial.UNBOUNDED ? TermsPartial.UNBOUNDED : error - seen);
    }
    return new Result.Bucket(
        key, name, fields, bucket.docCount(), finisher.finish(node.children(), bucket.children()));
  }

  static String key(
      Kind kind, List<ValueFormat> formats, Object key, Map<String, @Nullable Object> fields) {
    if (key instanceof List<?> parts) {
      List<@Nullable Object> shown = new ArrayList<>();
      StringJoiner text = new StringJoiner("|");
      for (int i = 0; i < parts.size(); i++) {
        ValueFormat format = formats.get(i);
        Object part = parts.get(i);
        text.add(format.keyText(part));
        shown.add(shownPart(format, part));
      }
      fields.put("key", shown);
      fields.put("key_as_string", text.toString());
      return text.toString();
    }
    ValueFormat format = formats.getFirst();
    fields.put("key", format.keyJson(key));
    String text = format.keyText(key);
    if (kind != Kind.BYTES && format.isShown()) {
      fields.put("key_as_string", text);
    }
    return text;
  }

  /** A component of a key with several components, as text if its format has one. */
  private static @Nullable Object shownPart(ValueFormat format, @Nullable Object part) {
    return switch (part) {
      case Number number when !format.isShown() -> format.keyJson(part);
      case Long truth when format instanceof ValueFormat.Truth -> truth != 0;
      case null -> null;
      default -> format.keyText(part);
    };
  }

  private static String typeName(Kind kind) {
    return switch (kind) {
      case UNMAPPED -> "umterms";
      case LONG -> "lterms";
      case UNSIGNED -> "ulterms";
      case DOUBLE -> "dterms";
      case BYTES -> "sterms";
      case SEVERAL -> "multi_terms";
    };
  }
}
