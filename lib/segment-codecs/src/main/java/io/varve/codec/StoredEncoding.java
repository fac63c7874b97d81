package io.varve.codec;

/**
 * The encoding of stored fields.
 *
 * @param codec value of {@code index.codec}
 * @param level 0 for codecs without levels
 * @param dictionary id of the dictionary; {@code none} or empty without one
 */
public record StoredEncoding(String codec, int level, String dictionary) {

  public boolean hasDictionary() {
    return !dictionary.isEmpty() && !dictionary.equals(ZstdFieldsFormat.NO_DICTIONARY);
  }

  /** Whether a segment with this encoding satisfies settings that require {@code other}. */
  public boolean isLike(StoredEncoding other) {
    return codec.equals(other.codec) && level == other.level;
  }
}
