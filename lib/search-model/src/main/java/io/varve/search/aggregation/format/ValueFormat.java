package io.varve.search.aggregation.format;

import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.Values;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the values of a field, which are longs, doubles or bytes, as text. */
public sealed interface ValueFormat {

  /** Plain numbers. */
  record Raw() implements ValueFormat {}

  /** Booleans: 0 is {@code false}, all else {@code true}. */
  record Truth() implements ValueFormat {}

  /** IP addresses in 16 bytes. */
  record Address() implements ValueFormat {}

  /** Unsigned longs. */
  record Unsigned() implements ValueFormat {}

  /** Dates in milliseconds since 1970. */
  record Dates(String pattern, String zone) implements ValueFormat {
    private DateFormat format() {
      return DateFormat.of(pattern);
    }

    private ZoneId zoneId() {
      return ZoneId.of(zone);
    }
  }

  /** Numbers formatted by a pattern such as {@code #,##0.00}. */
  record Decimals(String pattern) implements ValueFormat {
    public Decimals {
      new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
    }

    private String written(double value) {
      return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT))
          .format(value);
    }
  }

  /** Whether buckets show the formatted key as {@code key_as_string}. */
  default boolean isShown() {
    return !(this instanceof Raw) && !(this instanceof Unsigned);
  }

  default String text(long value) {
    return switch (this) {
      case Truth truth -> value == 0 ? "false" : "true";
      case Dates dates -> dates.format().print(value, dates.zoneId());
      case Decimals decimals -> decimals.written((double) value);
      case Unsigned unsigned -> Long.toUnsignedString(value);
      case Raw raw -> Long.toString(value);
      case Address address -> Long.toString(value);
    };
  }

  default String text(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    return switch (this) {
      case Truth truth -> value == 0 ? "false" : "true";
      case Dates dates -> dates.format().print((long) value, dates.zoneId());
      case Decimals decimals -> decimals.written(value);
      default -> Double.toString(value);
    };
  }

  default String text(byte[] value) {
    if (this instanceof Address && value.length == 16) {
      try {
        return Values.addressText(InetAddress.getByAddress(value));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("an address of 16 bytes is always valid", e);
      }
    }
    return new String(value, StandardCharsets.UTF_8);
  }

  /** The key of a bucket as text. */
  default String keyText(@Nullable Object key) {
    return switch (key) {
      case null -> "null";
      case Long whole -> text(whole.longValue());
      case Double decimal -> text(decimal.doubleValue());
      case BytesKey bytes -> text(bytes.bytes());
      default -> key.toString();
    };
  }

  /** The key of a bucket in JSON: numbers stay numbers. */
  default @Nullable Object keyJson(@Nullable Object key) {
    return switch (key) {
      case BytesKey bytes -> text(bytes.bytes());
      case Long whole when this instanceof Unsigned && whole < 0 ->
          new BigInteger(Long.toUnsignedString(whole));
      case null -> null;
      default -> key;
    };
  }
}
