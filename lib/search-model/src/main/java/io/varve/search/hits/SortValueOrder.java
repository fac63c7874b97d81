package io.varve.search.hits;

import io.varve.search.mapping.Values;
import io.varve.search.query.SortKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders sort values across shards, where a field may have different types: numbers by value,
 * strings by code point, addresses by bytes, missing values first or last as the key says.
 */
public final class SortValueOrder implements Comparator<List<@Nullable Object>> {

  private final List<SortKey> keys;

  public SortValueOrder(List<SortKey> keys) {
    this.keys = keys;
  }

  @Override
  public int compare(List<@Nullable Object> first, List<@Nullable Object> second) {
    int count = Math.min(keys.size(), Math.min(first.size(), second.size()));
    for (int i = 0; i < count; i++) {
      int order = compare(keys.get(i), first.get(i), second.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  public static int compare(SortKey key, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      if (a == null && b == null) {
        return 0;
      }
      boolean nullFirst = SortKey.MISSING_FIRST.equals(key.missing());
      return (a == null) == nullFirst ? -1 : 1;
    }
    int order = ascending(a, b);
    return key.descending() ? -order : order;
  }

  private static int ascending(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Long.compare(x, y);
    }
    if (a instanceof Number x && b instanceof Number y && (isWhole(x) || isWhole(y))) {
      // Exact comparison: a conversion to double would lose digits of integers beyond 53 bits.
      return exactly(x, y);
    }
    if (a instanceof Number x && b instanceof Number y) {
      return Double.compare(x.doubleValue(), y.doubleValue());
    }
    if (a instanceof InetAddress x && b instanceof InetAddress y) {
      return Arrays.compareUnsigned(Values.mapped(x.getAddress()), Values.mapped(y.getAddress()));
    }
    return byCodePoints(a.toString(), b.toString());
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof BigInteger;
  }

  private static int exactly(Number x, Number y) {
    double doubleX = x.doubleValue();
    double doubleY = y.doubleValue();
    if (!Double.isFinite(doubleX) || !Double.isFinite(doubleY)) {
      return Double.compare(doubleX, doubleY);
    }
    return exact(x).compareTo(exact(y));
  }

  private static BigDecimal exact(Number number) {
    return switch (number) {
      case Long whole -> BigDecimal.valueOf(whole);
      case BigInteger whole -> new BigDecimal(whole);
      default -> new BigDecimal(number.doubleValue());
    };
  }

  /** Compares by code point, which is the order of UTF-8 and so of each shard. */
  private static int byCodePoints(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates encode code points above all those that a single char encodes.
        boolean xAbove = Character.isSurrogate(x);
        boolean yAbove = Character.isSurrogate(y);
        return xAbove == yAbove ? Character.compare(x, y) : xAbove ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
