package io.varve.search.aggregation.format;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The natural order of keys: null first, lists by component. */
public final class KeyOrder {

  private KeyOrder() {}

  /** The order of keys with one source. */
  public static Comparator<@Nullable Object> of(ValueFormat format) {
    boolean unsigned = format instanceof ValueFormat.Unsigned;
    return (a, b) -> compare(a, b, unsigned);
  }

  /** The order of keys with one component per source. */
  public static Comparator<@Nullable Object> of(List<ValueFormat> formats) {
    return (a, b) -> {
      if (!(a instanceof List<?> first) || !(b instanceof List<?> second)) {
        return compare(a, b, false);
      }
      for (int i = 0; i < first.size(); i++) {
        int order =
            compare(first.get(i), second.get(i), formats.get(i) instanceof ValueFormat.Unsigned);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  private static int compare(@Nullable Object a, @Nullable Object b, boolean unsigned) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    if (a instanceof Long first && b instanceof Long second) {
      return unsigned ? Long.compareUnsigned(first, second) : Long.compare(first, second);
    }
    if (a instanceof Number first && b instanceof Number second) {
      return Double.compare(first.doubleValue(), second.doubleValue());
    }
    if (a instanceof BytesKey first && b instanceof BytesKey second) {
      return first.compareTo(second);
    }
    return a.toString().compareTo(b.toString());
  }
}
