package io.varve.search.aggregation.sketch;

import com.tdunning.math.stats.Centroid;
import com.tdunning.math.stats.MergingDigest;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ApiException;
import io.varve.search.aggregation.MetricAggregation.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.HdrHistogram.DoubleHistogram;
import org.HdrHistogram.PackedDoubleHistogram;

/** An approximate distribution of numbers in bounded space. */
public sealed interface ValueDigest {

  static ValueDigest of(Digest digest) {
    return switch (digest) {
      case Digest.TDigest(double compression) ->
          new Centroids(new MergingDigest(Math.max(10, compression)));
      case Digest.Hdr(int digits) -> Columns.empty(digits);
    };
  }

  void add(double value);

  long count();

  /** The value at a percentile, from 0 to 100; NaN when the digest is empty. */
  double percentile(double percent);

  /** The percentage of numbers that are at most {@code value}; NaN when the digest is empty. */
  double rank(double value);

  /** A new digest over both; neither input is changed. */
  ValueDigest merged(ValueDigest other);

  /**
   * Upper bound of the memory for both digests, {@link #merged} and the encoding of its result with
   * {@link #toBytes}.
   */
  long mergeBytes(ValueDigest other);

  byte[] toBytes();

  long sizeBytes();

  /** A t-digest: means of close values, most precise at both ends. */
  record Centroids(MergingDigest digest) implements ValueDigest {
    @Override
    public void add(double value) {
      digest.add(value);
    }

    @Override
    public long count() {
      return digest.size();
    }

    @Override
    public double percentile(double percent) {
      return count() == 0 ? Double.NaN : digest.quantile(percent / 100);
    }

    @Override
    public double rank(double value) {
      return count() == 0 ? Double.NaN : digest.cdf(value) * 100;
    }

    @Override
    public Centroids merged(ValueDigest other) {
      MergingDigest both = new MergingDigest(digest.compression());
      put(digest, both);
      put(((Centroids) other).digest, both);
      return new Centroids(both);
    }

    @Override
    public long mergeBytes(ValueDigest other) {
      // The encoded digest is smaller than the digest.
      return sizeBytes() + other.sizeBytes() + 2 * sizeBytes();
    }

    private static void put(MergingDigest from, MergingDigest into) {
      for (Centroid centroid : from.centroids()) {
        into.add(centroid.mean(), centroid.count());
      }
    }

    /** The median absolute deviation. */
    public double medianDeviation() {
      double median = percentile(50);
      MergingDigest distances = new MergingDigest(digest.compression());
      for (Centroid centroid : digest.centroids()) {
        distances.add(Math.abs(centroid.mean() - median), centroid.count());
      }
      return count() == 0 ? Double.NaN : distances.quantile(0.5);
    }

    @Override
    public byte[] toBytes() {
      digest.compress();
      ByteBuffer buffer = ByteBuffer.allocate(digest.byteSize());
      digest.asBytes(buffer);
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      return bytes;
    }

    @Override
    public long sizeBytes() {
      // Two arrays for the centroids, and three of six times that size for values not merged yet.
      return 512 + ((long) (digest.compression() * 2 + 30)) * (16 + 20 * 6);
    }

    public static Centroids fromBytes(byte[] bytes) {
      try {
        return new Centroids(MergingDigest.fromBytes(ByteBuffer.wrap(bytes)));
      } catch (IllegalStateException | BufferUnderflowException e) {
        throw new MalformedRecordException("malformed t-digest: " + e.getMessage());
      }
    }
  }

  /**
   * An HDR histogram, whose bucket width grows with the values. With five digits it has half a
   * million buckets, so that it is kept packed while it has few values and converted when it has
   * many.
   */
  final class Columns implements ValueDigest {

    /**
     * The largest number of values in a packed histogram, in which counting a value takes about
     * five times as long.
     */
    private static final long MOST_PACKED = 4_096;

    private static final int ENCODED_COUNT_BYTES = 9;

    /** The number of powers of two that a histogram covers in addition to those of its values. */
    private static final int MARGIN_POWERS = 4;

    private DoubleHistogram histogram;

    private Columns(DoubleHistogram histogram) {
      this.histogram = histogram;
    }

    static Columns empty(int digits) {
      return new Columns(packed(digits));
    }

    private static DoubleHistogram packed(int digits) {
      DoubleHistogram packed = new PackedDoubleHistogram(digits);
      packed.setAutoResize(true);
      return packed;
    }

    private static DoubleHistogram spread(DoubleHistogram from) {
      DoubleHistogram spread = new DoubleHistogram(from.getNumberOfSignificantValueDigits());
      spread.setAutoResize(true);
      spread.add(from);
      return spread;
    }

    private DoubleHistogram packedCopy() {
      DoubleHistogram copy = packed(histogram.getNumberOfSignificantValueDigits());
      copy.add(histogram);
      return copy;
    }

    private boolean isPacked() {
      return histogram instanceof PackedDoubleHistogram;
    }

    @Override
    public void add(double value) {
      try {
        histogram.recordValue(value);
      } catch (ArrayIndexOutOfBoundsException e) {
        throw new ApiException(
            400, "array_index_out_of_bounds_exception", String.valueOf(e.getMessage()));
      }
      if (isPacked() && histogram.getTotalCount() > MOST_PACKED) {
        histogram = spread(histogram);
      }
    }

    @Override
    public long count() {
      return histogram.getTotalCount();
    }

    @Override
    public double percentile(double percent) {
      return count() == 0 ? Double.NaN : histogram.getValueAtPercentile(percent);
    }

    @Override
    public double rank(double value) {
      return count() == 0 ? Double.NaN : histogram.getPercentileAtOrBelowValue(value);
    }

    @Override
    public Columns merged(ValueDigest other) {
      DoubleHistogram added = ((Columns) other).histogram;
      boolean few = count() + added.getTotalCount() <= MOST_PACKED;
      DoubleHistogram both = few ? packedCopy() : spread(histogram);
      both.add(added);
      return new Columns(both);
    }

    /**
     * The estimate assumes a count for every bucket between the smallest and the largest value of
     * both. The merged histogram and the copy that is encoded hold 8 bytes for each count; growing
     * the merged histogram copies it once more. Encoding uses two buffers of 9 bytes for each
     * count, even for a packed histogram.
     */
    @Override
    public long mergeBytes(ValueDigest other) {
      DoubleHistogram added = ((Columns) other).histogram;
      long counts = countsOfBoth(added);
      boolean few = count() + added.getTotalCount() <= MOST_PACKED;
      long packed = sizeBytes() + other.sizeBytes();
      long histograms = few ? 2 * packed : 3 * Long.BYTES * counts;
      return packed + histograms + 2 * ENCODED_COUNT_BYTES * counts;
    }

    /** A histogram has a fixed number of counts for each power of two within its range. */
    private long countsOfBoth(DoubleHistogram added) {
      double smallest = Math.min(histogram.getMinNonZeroValue(), added.getMinNonZeroValue());
      double largest = Math.max(histogram.getMaxValue(), added.getMaxValue());
      int powers = smallest < largest ? Math.getExponent(largest) - Math.getExponent(smallest) : 0;
      double largestWithUnitResolution =
          2 * Math.pow(10, histogram.getNumberOfSignificantValueDigits());
      long countsOfAPower = Long.highestOneBit((long) largestWithUnitResolution);
      return (powers + MARGIN_POWERS) * countsOfAPower;
    }

    @Override
    public byte[] toBytes() {
      // A histogram keeps the full-size buffer of its encoding, so a copy is encoded and dropped.
      DoubleHistogram encoded = isPacked() ? packedCopy() : spread(histogram);
      ByteBuffer buffer = ByteBuffer.allocate(encoded.getNeededByteBufferCapacity());
      int size = encoded.encodeIntoCompressedByteBuffer(buffer);
      return Arrays.copyOf(buffer.array(), size);
    }

    @Override
    public long sizeBytes() {
      return histogram.getEstimatedFootprintInBytes();
    }

    public static Columns fromBytes(byte[] bytes) {
      try {
        DoubleHistogram read =
            PackedDoubleHistogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        read.setAutoResize(true);
        return new Columns(read);
      } catch (DataFormatException | BufferUnderflowException | IllegalArgumentException e) {
        throw new MalformedRecordException("malformed HDR histogram: " + e.getMessage());
      }
    }
  }
}
