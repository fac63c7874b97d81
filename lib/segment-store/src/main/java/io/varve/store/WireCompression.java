package io.varve.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Compresses segment files between nodes with zstd where that is worthwhile. Most of a segment is
 * already compact (stored fields, postings), other parts are not (doc values, term dictionaries).
 * This depends on the data and is therefore measured: a sample from the middle of the requested
 * range must shrink by at least an eighth.
 *
 * <p>INVARIANT: decompression restores the exact bytes; checksums are those of the file.
 */
public final class WireCompression {

  /** The name in {@code Accept-Encoding} and {@code Content-Encoding}. */
  public static final String NAME = "zstd";

  /** Shorter ranges are not compressed. */
  public static final int LEAST_BYTES = 4 << 10;

  public static final int SAMPLE_BYTES = 32 << 10;

  private static final int LEVEL = 1;
  private static final int BUFFER_BYTES = 1 << 17;

  private WireCompression() {}

  /** Whether compression is worthwhile for bytes like this sample. */
  public static boolean gains(byte[] sample) {
    return Zstd.compress(sample, LEVEL).length <= sample.length - sample.length / 8;
  }

  /** The offset of the sample in a range of this length. */
  public static long sampleFrom(long length) {
    return Math.max(0, (length - SAMPLE_BYTES) / 2);
  }

  public static OutputStream compressing(OutputStream out) throws IOException {
    return new ZstdOutputStream(out, LEVEL);
  }

  /** The returned stream throws if a frame is truncated or damaged. */
  public static InputStream decompressing(InputStream in) throws IOException {
    return new BufferedInputStream(new ZstdInputStream(in), BUFFER_BYTES);
  }
}
