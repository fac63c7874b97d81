package io.varve.rpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Digests of the live documents of one copy, one for each range of {@value #PER_RANGE} seq_nos.
 * Immutable and pure.
 *
 * <pre>
 *   digest of a range = sum modulo 2^64, over its documents, of mix(seq_no, term, version)
 * </pre>
 *
 * <p>Copies with the same live documents in a range have the same digest of it, in whatever order
 * their segments hold them. A more advanced copy lacks documents that it has overwritten. A
 * different digest is therefore no proof of damage: the documents of the range must be compared by
 * id.
 */
public final class SeqNoDigests {

  /** Seq_nos per range, as many as one step of a job reads. */
  public static final int PER_RANGE = 1_024;

  private static final int SHIFT = 10;

  private final long[] sums;

  private SeqNoDigests(long[] sums) {
    this.sums = sums;
  }

  /**
   * A range of seq_nos.
   *
   * @param toSeqNo exclusive
   */
  public record Range(long fromSeqNo, long toSeqNo) {}

  /** Digests that were received. */
  public static SeqNoDigests of(long... sums) {
    return new SeqNoDigests(sums.clone());
  }

  /** Adds up documents, in any order. Not thread-safe. */
  public static final class Builder {

    private long[] sums = new long[16];
    private int ranges;

    /** Adds a live document with this seq_no, which is not negative. */
    public void add(long seqNo, long term, long version) {
      int range = Math.toIntExact(seqNo >> SHIFT);
      if (range >= sums.length) {
        sums = Arrays.copyOf(sums, Math.max(range + 1, sums.length * 2));
      }
      ranges = Math.max(ranges, range + 1);
      sums[range] += mix(mix(mix(seqNo) + term) + version);
    }

    public SeqNoDigests build() {
      return new SeqNoDigests(Arrays.copyOf(sums, ranges));
    }
  }

  /** The finalizer of SplitMix64: each bit of the input affects all bits of the result. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  public int ranges() {
    return sums.length;
  }

  /** The digest of a range; 0 for a range without documents. */
  public long digest(int range) {
    return range < sums.length ? sums[range] : 0;
  }

  /** The ranges that differ, in order; adjacent ranges are not merged. */
  public List<Range> differing(SeqNoDigests other) {
    List<Range> differing = new ArrayList<>();
    for (int range = 0; range < Math.max(ranges(), other.ranges()); range++) {
      if (digest(range) != other.digest(range)) {
        long from = (long) range << SHIFT;
        differing.add(new Range(from, from + PER_RANGE));
      }
    }
    return differing;
  }
}
