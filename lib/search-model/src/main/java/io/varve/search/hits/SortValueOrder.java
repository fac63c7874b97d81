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
 * The order of sort values across shards, whose fields may have different types: numbers by value,
 * texts by code points, addresses by bytes, no value where the key puts it.
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
      // A double in between keeps its digits, a whole number beyond 53 bits too.
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

  /** As their UTF-8 compares, which is how each shard orders them. */
  private static int byCodePoints(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // A surrogate stands for a code point above all others.
        boolean xAbove = Character.isSurrogate(x);
        boolean yAbove = Character.isSurrogate(y);
        return xAbove == yAbove ? Character.compare(x, y) : xAbove ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
