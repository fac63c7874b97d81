package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.BucketAggregation.Span;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Parses IP masks, such as {@code 10.0.0.0/8}, as ranges. */
final class Addresses {

  private Addresses() {}

  static Span masked(@Nullable String key, String mask) {
    int slash = mask.indexOf('/');
    if (slash < 0) {
      throw AggregationFields.illegal("Expected [ip/prefix] but was [" + mask + "]");
    }
    byte[] first;
    int bits;
    try {
      first = Values.address(mask.substring(0, slash));
      bits = Integer.parseInt(mask.substring(slash + 1));
    } catch (ValueException e) {
      throw new ApiException(e.error());
    } catch (NumberFormatException e) {
      throw AggregationFields.illegal("Expected [ip/prefix] but was [" + mask + "]");
    }
    boolean four = mask.indexOf(':') < 0;
    if (bits < 0 || bits > (four ? 32 : 128)) {
      throw AggregationFields.illegal("Illegal prefix length in [" + mask + "]");
    }
    int fixed = four ? 96 + bits : bits;
    byte[] last = first.clone();
    for (int bit = fixed; bit < 128; bit++) {
      first[bit / 8] &= (byte) ~(0x80 >>> (bit % 8));
      last[bit / 8] |= (byte) (0x80 >>> (bit % 8));
    }
    boolean fromStart = Arrays.equals(first, new byte[16]);
    byte[] after = following(last);
    return new Span(
        key == null ? mask : key,
        fromStart ? null : text(first),
        after == null ? null : text(after));
  }

  /** The next address, or null after the last. */
  private static byte @Nullable [] following(byte[] address) {
    byte[] next = address.clone();
    for (int i = next.length - 1; i >= 0; i--) {
      if (++next[i] != 0) {
        return next;
      }
    }
    return null;
  }

  private static String text(byte[] address) {
    try {
      return Values.addressText(InetAddress.getByAddress(address));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of 16 bytes is always valid", e);
    }
  }
}
