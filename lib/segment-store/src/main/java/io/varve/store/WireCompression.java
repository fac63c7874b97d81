package io.varve.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Segment files on their way between nodes, as zstd where they gain from it. Most of a segment is
 * encoded tightly already (stored fields, postings), some of it is not (doc values, term
 * dictionaries); which is which depends on the data, so it is measured: a sample from the middle of
 * what is asked for must shrink by an eighth.
 *
 * <p>INVARIANT: what comes out is what went in; checksums are those of the file.
 */
public final class WireCompression {

  /** As {@code Accept-Encoding} and {@code Content-Encoding} have it. */
  public static final String NAME = "zstd";

  /** Less is not worth a frame. */
  public static final int LEAST_BYTES = 4 << 10;

  public static final int SAMPLE_BYTES = 32 << 10;

  private static final int LEVEL = 1;
  private static final int BUFFER_BYTES = 1 << 17;

  private WireCompression() {}

  /** Whether bytes like these are worth it. */
  public static boolean gains(byte[] sample) {
    return Zstd.compress(sample, LEVEL).length <= sample.length - sample.length / 8;
  }

  /** Where a sample of so many bytes begins. */
  public static long sampleFrom(long length) {
    return Math.max(0, (length - SAMPLE_BYTES) / 2);
  }

  public static OutputStream compressing(OutputStream out) throws IOException {
    return new ZstdOutputStream(out, LEVEL);
  }

  /** Breaks off where a frame is cut or damaged. */
  public static InputStream decompressing(InputStream in) throws IOException {
    return new BufferedInputStream(new ZstdInputStream(in), BUFFER_BYTES);
  }
}
