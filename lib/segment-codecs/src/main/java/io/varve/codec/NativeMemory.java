package io.varve.codec;

/** The native memory that stored fields use in this process. */
public final class NativeMemory {

  private NativeMemory() {}

  /** Dictionaries; segments with the same dictionary share one. */
  public static int dictionaries() {
    return SharedDictionary.open();
  }

  /** Compression contexts, one for each segment that is being written. */
  public static int encoders() {
    return BlockCompressor.open();
  }

  /** Decompression contexts, lent or idle. */
  public static int decoders() {
    return BlockDecoders.all().open();
  }

  /**
   * The size of the pool of decompression contexts; there are more only while more threads decode
   * at once.
   */
  public static int mostDecoders() {
    return BlockDecoders.MOST;
  }
}
