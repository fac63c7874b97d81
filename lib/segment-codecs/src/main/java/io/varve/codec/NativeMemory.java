package io.varve.codec;

/** What this process holds outside of the heap for the stored fields of all its segments. */
public final class NativeMemory {

  private NativeMemory() {}

  /** Dictionaries: one for all segments that have the same. */
  public static int dictionaries() {
    return SharedDictionary.open();
  }

  /** Contexts to encode with: one for each segment that is being written. */
  public static int encoders() {
    return BlockCompressor.open();
  }

  /** Contexts to decode with, lent or waiting. */
  public static int decoders() {
    return BlockDecoders.all().open();
  }

  /** More contexts than these are there only while more threads decode at once. */
  public static int mostDecoders() {
    return BlockDecoders.MOST;
  }
}
