package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts of terms in the searched documents and in the background.
 *
 * @param documents number of searched documents
 * @param background number of background documents
 */
public record SignificantPartial(
    Kind kind, ValueFormat format, long documents, long background, Map<Object, Bucket> buckets)
    implements Partial {

  /**
   * @param background number of background documents with the term
   */
  public record Bucket(long docCount, long background, Partials children) {
    Bucket merge(Bucket other) {
      return new Bucket(
          docCount + other.docCount, background + other.background, children.merge(other.children));
    }
  }

  public SignificantPartial {
    buckets = Collections.unmodifiableMap(buckets);
  }

  @Override
  public SignificantPartial merge(Partial partial) {
    SignificantPartial other = (SignificantPartial) partial;
    if (kind != other.kind && kind != Kind.UNMAPPED && other.kind != Kind.UNMAPPED) {
      throw TermsPartial.differentTypes();
    }
    Map<Object, Bucket> all = new HashMap<>(buckets);
    other.buckets.forEach((key, bucket) -> all.merge(key, bucket, Bucket::merge));
    return new SignificantPartial(
        kind == Kind.UNMAPPED ? other.kind : kind,
        kind == Kind.UNMAPPED ? other.format : format,
        documents + other.documents,
        background + other.background,
        all);
  }

  public SignificantPartial with(Map<Object, Bucket> other) {
    return new SignificantPartial(kind, format, documents, background, other);
  }

  @Override
  public void write(PartialWriter out) {
    out.code(kind.code());
    out.format(format);
    out.count(documents);
    out.count(background);
    out.count(buckets.size());
    buckets.forEach((key, bucket) -> {
      out.key(key);
      out.count(bucket.docCount);
      out.count(bucket.background);
      bucket.children.write(out);
    });
  }

  static SignificantPartial read(PartialReader in) {
    Kind kind = Kind.of(in.code());
    ValueFormat format = in.format();
    long documents = in.count();
    long background = in.count();
    Map<Object, Bucket> buckets = new HashMap<>();
    for (int left = in.size(); left > 0; left--) {
      buckets.put(RarePartial.key(in), new Bucket(in.count(), in.count(), Partials.read(in)));
    }
    return new SignificantPartial(kind, format, documents, background, buckets);
  }
}
