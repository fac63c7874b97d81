package io.varve.codec;

import java.util.EnumMap;
import java.util.Map;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.jspecify.annotations.Nullable;

/**
 * A compression mode: a coding with a certain dictionary or without one.
 *
 * <p>INVARIANT: at any time there is at most one mode in use for a coding and dictionary.
 */
final class BlockMode extends CompressionMode {

  private static final Map<Coding.Mode, BlockMode[]> PLAIN = plain();

  private final Coding coding;
  private final @Nullable SharedDictionary dictionary;

  BlockMode(Coding coding, @Nullable SharedDictionary dictionary) {
    this.coding = coding;
    this.dictionary = dictionary;
  }

  private static Map<Coding.Mode, BlockMode[]> plain() {
    Map<Coding.Mode, BlockMode[]> modes = new EnumMap<>(Coding.Mode.class);
    for (Coding.Mode mode : Coding.Mode.values()) {
      BlockMode[] levels = new BlockMode[Coding.HIGHEST + 1];
      for (int level = Coding.LOWEST; level <= Coding.HIGHEST; level++) {
        levels[level] = new BlockMode(new Coding(mode, level), null);
      }
      modes.put(mode, levels);
    }
    return modes;
  }

  static BlockMode withoutDictionary(Coding coding) {
    return PLAIN.get(coding.mode())[coding.level()];
  }

  Coding coding() {
    return coding;
  }

  @Nullable Dictionary dictionary() {
    return dictionary == null ? null : dictionary.dictionary();
  }

  @Override
  public Compressor newCompressor() {
    return new BlockCompressor(coding, dictionary());
  }

  @Override
  public Decompressor newDecompressor() {
    return new BlockDecompressor(dictionary == null ? null : dictionary.decoding());
  }

  @Override
  public String toString() {
    return coding + (dictionary == null ? "" : " with " + dictionary.dictionary());
  }
}
