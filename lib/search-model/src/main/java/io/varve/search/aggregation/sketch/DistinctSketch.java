package io.varve.search.aggregation.sketch;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts distinct 64-bit hashes. Up to a threshold it stores the hashes, so that the count is exact
 * except for collisions. Beyond the threshold it uses an {@link UltraLogLog}, whose size follows
 * from the threshold and whose relative error is about 0.76 / √size.
 */
public final class DistinctSketch {

  public static final int DEFAULT_THRESHOLD = 3000;
  public static final int MOST_THRESHOLD = 40_000;

  private static final int KEPT = 1;
  private static final int ESTIMATED = 2;
  private static final int FIRST_SLOTS = 8;

  private final int threshold;
  // Open addressing; 0 marks an empty slot, so the hash 0 is counted separately.
  private long[] slots;
  private int size;
  private boolean zero;
  private @Nullable UltraLogLog estimated;

  public DistinctSketch(int threshold) {
    this.threshold = Math.clamp(threshold, 0, MOST_THRESHOLD);
    this.slots = new long[FIRST_SLOTS];
  }

  /** The size on the heap. */
  public long sizeBytes() {
    UltraLogLog many = estimated;
    return 48 + (many == null ? slots.length * 8L : many.getState().length);
  }

  public static long sizeBytesOfNew() {
    return 48 + FIRST_SLOTS * 8L;
  }

  /**
   * Mixes the bits of a number. The function is a bijection: different numbers have different
   * hashes.
   */
  public static long hash(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  public void add(long hash) {
    UltraLogLog many = estimated;
    if (many != null) {
      many.add(hash);
      return;
    }
    if (hash == 0) {
      zero = true;
      return;
    }
    int mask = slots.length - 1;
    int at = (int) hash & mask;
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return;
      }
      at = (at + 1) & mask;
    }
    slots[at] = hash;
    size++;
    if (size > threshold) {
      estimate();
    } else if (size * 2 > slots.length) {
      grow();
    }
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    size = 0;
    for (long hash : old) {
      if (hash != 0) {
        add(hash);
      }
    }
  }

  private void estimate() {
    UltraLogLog many = UltraLogLog.create(precision());
    forEachKept(many::add);
    slots = new long[0];
    size = 0;
    zero = false;
    estimated = many;
  }

  /** The logarithm of the number of registers, about four for each value up to the threshold. */
  private int precision() {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, threshold) * 4);
    return Math.clamp(bits, 8, 18);
  }

  private void forEachKept(LongConsumer action) {
    if (zero) {
      action.accept(0);
    }
    for (long hash : slots) {
      if (hash != 0) {
        action.accept(hash);
      }
    }
  }

  public long count() {
    UltraLogLog many = estimated;
    return many == null ? size + (zero ? 1 : 0) : Math.round(many.getDistinctCountEstimate());
  }

  /** The union of two sketches. */
  public DistinctSketch merged(DistinctSketch other) {
    DistinctSketch both = copy(Math.max(threshold, other.threshold));
    UltraLogLog more = other.estimated;
    if (more == null) {
      other.forEachKept(both::add);
      return both;
    }
    if (both.estimated == null) {
      both.estimate();
    }
    UltraLogLog many = both.estimated;
    if (many != null) {
      both.estimated = UltraLogLog.merge(many, more);
    }
    return both;
  }

  private DistinctSketch copy(int newThreshold) {
    DistinctSketch copy = new DistinctSketch(newThreshold);
    UltraLogLog many = estimated;
    if (many == null) {
      copy.slots = slots.clone();
      copy.size = size;
      copy.zero = zero;
    } else {
      copy.slots = new long[0];
      copy.estimated = many.copy();
    }
    return copy;
  }

  public byte[] toBytes() {
    PackedWriter out = new PackedWriter(32 + size * 8);
    UltraLogLog many = estimated;
    if (many != null) {
      out.writeByte(ESTIMATED);
      out.writeVarLong(threshold);
      out.writeBytes(many.getState());
      return out.toByteArray();
    }
    out.writeByte(KEPT);
    out.writeVarLong(threshold);
    out.writeVarLong(size + (zero ? 1 : 0));
    forEachKept(hash -> {
      for (int shift = 0; shift < 64; shift += 8) {
        out.writeByte((int) (hash >>> shift) & 0xFF);
      }
    });
    return out.toByteArray();
  }

  public static DistinctSketch fromBytes(byte[] bytes) {
    PackedReader in = new PackedReader(bytes);
    int kind = in.readByte();
    DistinctSketch sketch = new DistinctSketch((int) Math.min(in.readVarLong(), MOST_THRESHOLD));
    switch (kind) {
      case KEPT -> {
        for (long left = in.readVarLong(); left > 0; left--) {
          long hash = 0;
          for (int shift = 0; shift < 64; shift += 8) {
            hash |= (long) in.readByte() << shift;
          }
          sketch.add(hash);
        }
      }
      case ESTIMATED -> {
        sketch.slots = new long[0];
        byte[] state = in.readBytes();
        try {
          sketch.estimated = UltraLogLog.wrap(Arrays.copyOf(state, state.length));
        } catch (IllegalArgumentException e) {
          throw new MalformedRecordException(
              "malformed sketch of distinct values: " + e.getMessage());
        }
      }
      default ->
          throw new MalformedRecordException("unknown kind of sketch of distinct values " + kind);
    }
    return sketch;
  }
}
