package io.varve.search;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A shard's result of the {@code can_match} phase, which precedes the search.
 *
 * @param possible false when the query certainly matches nothing on the shard
 * @param bounds of the values of the first sort key; null when unknown
 */
public record CanMatch(boolean possible, @Nullable Bounds bounds) {

  private static final int FORMAT = 1;

  /** The smallest and the largest value, both Long or both Double. */
  public record Bounds(Number least, Number greatest) {

    public Bounds {
      if (!(least instanceof Long && greatest instanceof Long)
          && !(least instanceof Double && greatest instanceof Double)) {
        throw new IllegalArgumentException(
            "bounds must be two longs or two doubles, were " + least + " and " + greatest);
      }
    }

    Number best(boolean descending) {
      return descending ? greatest : least;
    }
  }

  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(3 + 2 * Long.BYTES);
    out.put((byte) FORMAT).put((byte) (possible ? 1 : 0));
    switch (bounds) {
      case null -> out.put((byte) 0);
      case Bounds(Long least, Long greatest) -> out.put((byte) 1).putLong(least).putLong(greatest);
      case Bounds(Number least, Number greatest) ->
          out.put((byte) 2).putDouble(least.doubleValue()).putDouble(greatest.doubleValue());
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  public static CanMatch fromBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("unknown format of a can_match answer: " + format);
    }
    boolean possible = in.get() == 1;
    return new CanMatch(
        possible,
        switch (in.get()) {
          case 0 -> null;
          case 1 -> new Bounds(in.getLong(), in.getLong());
          default -> new Bounds(in.getDouble(), in.getDouble());
        });
  }
}
