package io.varve.search.aggregation.partial;

import io.varve.events.PackedWriter;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.ValueFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes signed integers, doubles, strings, keys and formats in packed form. */
public final class PartialWriter {

  static final int NULL = 0;
  static final int LONG = 1;
  static final int DOUBLE = 2;
  static final int BYTES = 3;
  static final int LIST = 4;

  static final int RAW = 0;
  static final int TRUTH = 1;
  static final int ADDRESS = 2;
  static final int UNSIGNED = 3;
  static final int DATES = 4;
  static final int DECIMALS = 5;

  private final PackedWriter writer;

  public PartialWriter(PackedWriter writer) {
    this.writer = writer;
  }

  public void code(int value) {
    writer.writeByte(value);
  }

  public void flag(boolean value) {
    writer.writeByte(value ? 1 : 0);
  }

  /** Writes a non-negative number. */
  public void count(long value) {
    writer.writeVarLong(value);
  }

  /** Writes a number in zigzag encoding, in which numbers close to zero are short. */
  public void whole(long value) {
    long folded = (value << 1) ^ (value >> 63);
    writer.writeByte((int) (folded & 1));
    writer.writeVarLong(folded >>> 1);
  }

  public void decimal(double value) {
    long bits = Double.doubleToRawLongBits(value);
    for (int shift = 56; shift >= 0; shift -= 8) {
      writer.writeByte((int) (bits >>> shift) & 0xFF);
    }
  }

  public void bytes(byte[] value) {
    writer.writeBytes(value);
  }

  public void text(String value) {
    writer.writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public void key(@Nullable Object key) {
    switch (key) {
      case null -> code(NULL);
      case Long value -> {
        code(LONG);
        whole(value);
      }
      case Double value -> {
        code(DOUBLE);
        decimal(value);
      }
      case BytesKey value -> {
        code(BYTES);
        bytes(value.bytes());
      }
      case List<?> parts -> {
        code(LIST);
        count(parts.size());
        parts.forEach(this::key);
      }
      default -> throw new IllegalArgumentException("unexpected key of " + key.getClass());
    }
  }

  public void format(ValueFormat format) {
    switch (format) {
      case ValueFormat.Raw raw -> code(RAW);
      case ValueFormat.Truth truth -> code(TRUTH);
      case ValueFormat.Address address -> code(ADDRESS);
      case ValueFormat.Unsigned unsigned -> code(UNSIGNED);
      case ValueFormat.Dates dates -> {
        code(DATES);
        text(dates.pattern());
        text(dates.zone());
      }
      case ValueFormat.Decimals decimals -> {
        code(DECIMALS);
        text(decimals.pattern());
      }
    }
  }
}
