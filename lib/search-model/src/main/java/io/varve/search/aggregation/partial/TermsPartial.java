package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.rpc.ApiException;
import io.varve.search.aggregation.format.ValueFormat;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts of documents by term.
 *
 * @param formats one for each source
 * @param others documents of terms that were not returned
 * @param error upper bound of the number of documents that a term has in parts that did not return
 *     it, summed over all parts; {@link #UNBOUNDED} when it is unknown
 * @param parts number of parts, with a mapped field, that were merged
 */
public record TermsPartial(
    Kind kind,
    List<ValueFormat> formats,
    Map<Object, Bucket> buckets,
    long others,
    long error,
    int parts)
    implements Partial {

  public static final long UNBOUNDED = -1;

  /** The type of the keys. */
  public enum Kind {
    UNMAPPED(0),
    LONG(1),
    UNSIGNED(2),
    DOUBLE(3),
    BYTES(4),
    SEVERAL(5);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new MalformedRecordException("keys of kind " + code);
    }
  }

  /**
   * @param errorSeen sum of the errors of the parts that returned this term; those parts know its
   *     exact count
   */
  public record Bucket(long docCount, long errorSeen, Partials children) {
    Bucket merge(Bucket other) {
      return new Bucket(
          docCount + other.docCount, errorSeen + other.errorSeen, children.merge(other.children));
    }
  }

  public TermsPartial {
    formats = List.copyOf(formats);
    buckets = Collections.unmodifiableMap(buckets);
  }

  public static TermsPartial unmapped(List<ValueFormat> formats) {
    return new TermsPartial(Kind.UNMAPPED, formats, Map.of(), 0, 0, 0);
  }

  @Override
  public TermsPartial merge(Partial partial) {
    TermsPartial other = (TermsPartial) partial;
    if (kind == Kind.UNMAPPED) {
      return other;
    }
    if (other.kind == Kind.UNMAPPED) {
      return this;
    }
    if (kind != other.kind) {
      return asDecimals().merge(other.asDecimals());
    }
    boolean larger = buckets.size() >= other.buckets.size();
    Map<Object, Bucket> merged = new HashMap<>(larger ? buckets : other.buckets);
    (larger ? other.buckets : buckets)
        .forEach((key, bucket) -> merged.merge(key, bucket, Bucket::merge));
    return new TermsPartial(
        kind,
        formats,
        merged,
        others + other.others,
        error == UNBOUNDED || other.error == UNBOUNDED ? UNBOUNDED : error + other.error,
        parts + other.parts);
  }

  /**
   * Converts integer keys to doubles, when the field is an integer in one index and a
   * floating-point number in another.
   */
  private TermsPartial asDecimals() {
    if (kind == Kind.DOUBLE) {
      return this;
    }
    if (kind != Kind.LONG && kind != Kind.UNSIGNED) {
      throw differentTypes();
    }
    Map<Object, Bucket> converted = new HashMap<>();
    buckets.forEach((key, bucket) -> converted.merge(decimal((Long) key), bucket, Bucket::merge));
    return new TermsPartial(Kind.DOUBLE, formats, converted, others, error, parts);
  }

  static ApiException differentTypes() {
    return new ApiException(
        400,
        "aggregation_execution_exception",
        "Merging/Reducing the aggregations failed because the field you gave in the aggregation"
            + " query existed as two different types in two different indices");
  }

  private Double decimal(long key) {
    return kind == Kind.UNSIGNED && key < 0
        ? Double.parseDouble(Long.toUnsignedString(key))
        : (double) key;
  }

  @Override
  public void write(PartialWriter out) {
    out.code(kind.code);
    out.count(formats.size());
    formats.forEach(out::format);
    out.count(buckets.size());
    buckets.forEach((key, bucket) -> {
      out.key(key);
      out.count(bucket.docCount);
      out.whole(bucket.errorSeen);
      bucket.children.write(out);
    });
    out.count(others);
    out.whole(error);
    out.count(parts);
  }

  static TermsPartial read(PartialReader in) {
    Kind kind = Kind.of(in.code());
    ValueFormat[] formats = new ValueFormat[Math.min(in.size(), 1024)];
    for (int i = 0; i < formats.length; i++) {
      formats[i] = in.format();
    }
    int size = in.size();
    Map<Object, Bucket> buckets = HashMap.newHashMap(Math.min(size, 1 << 16));
    for (int i = 0; i < size; i++) {
      Object key = in.key();
      if (key == null) {
        throw new MalformedRecordException("term bucket without a key");
      }
      buckets.put(key, new Bucket(in.count(), in.whole(), Partials.read(in)));
    }
    return new TermsPartial(
        kind, List.of(formats), buckets, in.count(), in.whole(), (int) in.count());
  }
}
