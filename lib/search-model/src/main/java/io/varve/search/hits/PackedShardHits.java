package io.varve.search.hits;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The packed form of a shard's hits, either of a whole search or of one {@code top_hits}. Sources
 * are copied as bytes, without parsing them.
 *
 * @param cut why the search ended early, as the code of {@code ShardSearchResult.Cut}
 * @param profile empty for none
 * @param aggregations empty for none
 */
@SuppressWarnings("ArrayRecordComponent")
public record PackedShardHits(
    long total,
    boolean exact,
    float maxScore,
    List<ShardHit> hits,
    int cut,
    long visibleSeqNo,
    long serviceNanos,
    byte[] profile,
    byte[] aggregations) {

  private static final int FORMAT = 2;

  private static final int NULL = 0;
  private static final int LONG = 1;
  private static final int DOUBLE = 2;
  private static final int FLOAT = 3;
  private static final int STRING = 4;
  private static final int BOOLEAN = 5;
  private static final int ADDRESS = 6;
  private static final int WIDE = 7;

  private static final int HAS_ROUTING = 1;
  private static final int HAS_SOURCE = 2;
  private static final int HAS_SHOWN_VALUES = 4;
  private static final int HAS_GROUP = 8;

  public PackedShardHits {
    hits = List.copyOf(hits);
  }

  /** The hits of a {@code top_hits}. */
  public PackedShardHits(long total, float maxScore, List<ShardHit> hits) {
    this(total, true, maxScore, hits, 0, -1, 0, new byte[0], new byte[0]);
  }

  public byte[] toBytes(IntFunction<byte[]> largeArrays) {
    PackedWriter out = new PackedWriter(sizeGuess(), largeArrays);
    out.writeByte(FORMAT);
    writeSigned(out, total);
    out.writeByte(exact ? 1 : 0);
    writeFloat(out, maxScore);
    out.writeByte(cut);
    writeSigned(out, visibleSeqNo);
    writeSigned(out, serviceNanos);
    out.writeVarLong(hits.size());
    hits.forEach(hit -> writeHit(out, hit));
    out.writeBytes(profile);
    out.writeBytes(aggregations);
    return out.toByteArray();
  }

  private int sizeGuess() {
    long size = 64;
    for (ShardHit hit : hits) {
      byte[] source = hit.source();
      size += 96L + (source == null ? 0 : source.length);
    }
    return (int) Math.min(size, Integer.MAX_VALUE / 2);
  }

  private static void writeHit(PackedWriter out, ShardHit hit) {
    String routing = hit.routing();
    byte[] source = hit.source();
    List<@Nullable Object> shown = hit.extras().shownSortValues();
    Object group = hit.extras().group();
    out.writeByte(
        (routing == null ? 0 : HAS_ROUTING)
            | (source == null ? 0 : HAS_SOURCE)
            | (shown == null ? 0 : HAS_SHOWN_VALUES)
            | (group == null ? 0 : HAS_GROUP));
    writeString(out, hit.id());
    if (routing != null) {
      writeString(out, routing);
    }
    writeFloat(out, hit.score());
    out.writeVarLong(hit.sortValues().size());
    hit.sortValues().forEach(value -> writeValue(out, value));
    writeSigned(out, hit.stamp().version());
    writeSigned(out, hit.stamp().seqNo());
    writeSigned(out, hit.stamp().primaryTerm());
    if (source != null) {
      out.writeBytes(source);
    }
    if (shown != null) {
      out.writeVarLong(shown.size());
      shown.forEach(value -> writeValue(out, value));
    }
    if (group != null) {
      writeValue(out, group);
    }
    out.writeVarLong(hit.extras().parts().size());
    for (ShardHit.Part part : hit.extras().parts()) {
      writeString(out, part.name());
      out.writeBytes(part.json());
    }
  }

  private static void writeValue(PackedWriter out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeByte(NULL);
      case Long number -> {
        out.writeByte(LONG);
        writeSigned(out, number);
      }
      case Double number -> {
        out.writeByte(DOUBLE);
        writeSigned(out, Double.doubleToLongBits(number));
      }
      case Float number -> {
        out.writeByte(FLOAT);
        writeFloat(out, number);
      }
      case BigInteger wide -> {
        out.writeByte(WIDE);
        out.writeBytes(wide.toByteArray());
      }
      case Boolean truth -> {
        out.writeByte(BOOLEAN);
        out.writeByte(truth ? 1 : 0);
      }
      case InetAddress address -> {
        out.writeByte(ADDRESS);
        out.writeBytes(address.getAddress());
      }
      case String text -> {
        out.writeByte(STRING);
        writeString(out, text);
      }
      default -> throw new IllegalArgumentException("unexpected sort value of " + value.getClass());
    }
  }

  private static void writeString(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void writeFloat(PackedWriter out, float value) {
    int bits = Float.floatToIntBits(value);
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.writeByte(bits >>> shift);
    }
  }

  /** Writes the sign bit in a separate byte, then the other 63 bits in zigzag encoding. */
  private static void writeSigned(PackedWriter out, long value) {
    long folded = (value << 1) ^ (value >> 63);
    out.writeByte((int) (folded & 1));
    out.writeVarLong(folded >>> 1);
  }

  public static PackedShardHits fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    int format = in.readByte();
    if (format != FORMAT) {
      throw new MalformedRecordException("unknown format of a shard's search result: " + format);
    }
    long total = readSigned(in);
    boolean exact = in.readByte() == 1;
    float maxScore = readFloat(in);
    int cut = in.readByte();
    long visibleSeqNo = readSigned(in);
    long serviceNanos = readSigned(in);
    List<ShardHit> hits = new ArrayList<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      hits.add(readHit(in));
    }
    return new PackedShardHits(
        total,
        exact,
        maxScore,
        hits,
        cut,
        visibleSeqNo,
        serviceNanos,
        in.readBytes(),
        in.readBytes());
  }

  private static ShardHit readHit(PackedReader in) {
    int has = in.readByte();
    String id = readString(in);
    String routing = (has & HAS_ROUTING) == 0 ? null : readString(in);
    float score = readFloat(in);
    List<@Nullable Object> values = readValues(in);
    ShardHit.Stamp stamp = new ShardHit.Stamp(readSigned(in), readSigned(in), readSigned(in));
    byte[] source = (has & HAS_SOURCE) == 0 ? null : in.readBytes();
    List<@Nullable Object> shown = (has & HAS_SHOWN_VALUES) == 0 ? null : readValues(in);
    Object group = (has & HAS_GROUP) == 0 ? null : readValue(in);
    List<ShardHit.Part> parts = readParts(in);
    ShardHit.Extras extras =
        shown == null && group == null && parts.isEmpty()
            ? ShardHit.Extras.NONE
            : new ShardHit.Extras(parts, shown, group);
    return new ShardHit(id, routing, score, values, stamp, source, extras);
  }

  private static List<ShardHit.Part> readParts(PackedReader in) {
    long count = in.readVarLong();
    if (count == 0) {
      return List.of();
    }
    List<ShardHit.Part> parts = new ArrayList<>();
    for (long left = count; left > 0; left--) {
      parts.add(new ShardHit.Part(readString(in), in.readBytes()));
    }
    return parts;
  }

  private static List<@Nullable Object> readValues(PackedReader in) {
    long count = in.readVarLong();
    if (count <= 1) {
      return count == 0 ? List.of() : Collections.singletonList(readValue(in));
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (long left = count; left > 0; left--) {
      values.add(readValue(in));
    }
    return values;
  }

  private static @Nullable Object readValue(PackedReader in) {
    int kind = in.readByte();
    return switch (kind) {
      case NULL -> null;
      case LONG -> readSigned(in);
      case DOUBLE -> Double.longBitsToDouble(readSigned(in));
      case FLOAT -> readFloat(in);
      case BOOLEAN -> in.readByte() == 1;
      case STRING -> readString(in);
      case ADDRESS -> readAddress(in);
      case WIDE -> new BigInteger(in.readBytes());
      default -> throw new MalformedRecordException("unknown kind of sort value " + kind);
    };
  }

  private static InetAddress readAddress(PackedReader in) {
    try {
      return InetAddress.getByAddress(in.readBytes());
    } catch (UnknownHostException e) {
      throw new MalformedRecordException("invalid address as a sort value: " + e.getMessage());
    }
  }

  private static String readString(PackedReader in) {
    return in.readText();
  }

  private static float readFloat(PackedReader in) {
    int bits = 0;
    for (int i = 0; i < 4; i++) {
      bits = (bits << 8) | in.readByte();
    }
    return Float.intBitsToFloat(bits);
  }

  private static long readSigned(PackedReader in) {
    long sign = in.readByte();
    long folded = (in.readVarLong() << 1) | sign;
    return (folded >>> 1) ^ -(folded & 1);
  }
}
