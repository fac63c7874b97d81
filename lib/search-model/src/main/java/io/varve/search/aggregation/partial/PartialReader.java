package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.ValueFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the encoding of {@link PartialWriter}. */
public final class PartialReader {

  private final PackedReader reader;

  public PartialReader(PackedReader reader) {
    this.reader = reader;
  }

  public int code() {
    return reader.readByte();
  }

  public boolean flag() {
    return reader.readByte() == 1;
  }

  public long count() {
    return reader.readVarLong();
  }

  public int size() {
    long count = reader.readVarLong();
    if (count > Integer.MAX_VALUE) {
      throw new MalformedRecordException("invalid size " + count);
    }
    return (int) count;
  }

  public long whole() {
    long sign = reader.readByte();
    long folded = (reader.readVarLong() << 1) | sign;
    return (folded >>> 1) ^ -(folded & 1);
  }

  public double decimal() {
    long bits = 0;
    for (int i = 0; i < 8; i++) {
      bits = (bits << 8) | reader.readByte();
    }
    return Double.longBitsToDouble(bits);
  }

  public byte[] bytes() {
    return reader.readBytes();
  }

  public String text() {
    return new String(reader.readBytes(), StandardCharsets.UTF_8);
  }

  public @Nullable Object key() {
    int kind = code();
    return switch (kind) {
      case PartialWriter.NULL -> null;
      case PartialWriter.LONG -> (Object) whole();
      case PartialWriter.DOUBLE -> (Object) decimal();
      case PartialWriter.BYTES -> new BytesKey(bytes());
      case PartialWriter.LIST -> {
        int size = size();
        List<@Nullable Object> parts = new ArrayList<>(Math.min(size, 64));
        for (int i = 0; i < size; i++) {
          parts.add(key());
        }
        yield Collections.unmodifiableList(parts);
      }
      default -> throw new MalformedRecordException("unknown kind of key " + kind);
    };
  }

  public ValueFormat format() {
    int kind = code();
    return switch (kind) {
      case PartialWriter.RAW -> Formats.RAW;
      case PartialWriter.TRUTH -> Formats.TRUTH;
      case PartialWriter.ADDRESS -> Formats.ADDRESS;
      case PartialWriter.UNSIGNED -> Formats.UNSIGNED;
      case PartialWriter.DATES -> new ValueFormat.Dates(text(), text());
      case PartialWriter.DECIMALS -> new ValueFormat.Decimals(text());
      default -> throw new MalformedRecordException("unknown kind of format " + kind);
    };
  }
}
