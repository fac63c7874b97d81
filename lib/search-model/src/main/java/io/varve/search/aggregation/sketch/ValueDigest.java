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

/** The distribution of many numbers in little space. */
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

  /** The value below which a share of the numbers is, from 0 to 100; NaN of nothing. */
  double percentile(double percent);

  /** The share of the numbers that are at most a value, from 0 to 100; NaN of nothing. */
  double rank(double value);

  /** Both; neither is changed. */
  ValueDigest merged(ValueDigest other);

  byte[] toBytes();

  long sizeBytes();

  /** Means of near values, fine at the ends. */
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

    private static void put(MergingDigest from, MergingDigest into) {
      for (Centroid centroid : from.centroids()) {
        into.add(centroid.mean(), centroid.count());
      }
    }

    /** The median of the distances from the median. */
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
      // Two arrays of the centroids, and three of six times as many that are not merged yet.
      return 512 + ((long) (digest.compression() * 2 + 30)) * (16 + 20 * 6);
    }

    public static Centroids fromBytes(byte[] bytes) {
      try {
        return new Centroids(MergingDigest.fromBytes(ByteBuffer.wrap(bytes)));
      } catch (IllegalStateException | BufferUnderflowException e) {
        throw new MalformedRecordException("a digest: " + e.getMessage());
      }
    }
  }

  /**
   * Counts in columns whose width grows with the values. Of five digits they are half a million: a
   * histogram of few values packs those that are used, and is spread out when it has many.
   */
  final class Columns implements ValueDigest {

    /** A packed histogram takes about five times as long to count a value. */
    private static final long MOST_PACKED = 4_096;

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

    @Override
    public byte[] toBytes() {
      // A histogram keeps a buffer of its whole width once it was encoded; this one is dropped.
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
        throw new MalformedRecordException("a histogram: " + e.getMessage());
      }
    }
  }
}
