package io.varve.codec;

import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;

/** Lucene's mode {@code BEST_SPEED} with {@link Lz4Decompressor}. */
final class Lz4Mode extends CompressionMode {

  static final Lz4Mode READING = new Lz4Mode();

  private Lz4Mode() {}

  @Override
  public Compressor newCompressor() {
    return FAST.newCompressor();
  }

  @Override
  public Decompressor newDecompressor() {
    return new Lz4Decompressor();
  }

  @Override
  public String toString() {
    return "BEST_SPEED with a decompressor of Varve";
  }
}
