package io.varve.codec;

/**
 * How stored fields are encoded.
 *
 * @param codec as in {@code index.codec}
 * @param level 0 where there are none
 * @param dictionary the id of the dictionary; {@code none} or empty without one
 */
public record StoredEncoding(String codec, int level, String dictionary) {

  public boolean hasDictionary() {
    return !dictionary.isEmpty() && !dictionary.equals(ZstdFieldsFormat.NO_DICTIONARY);
  }

  /** Whether a segment encoded so is as one is to be that is encoded like {@code other}. */
  public boolean isLike(StoredEncoding other) {
    return codec.equals(other.codec) && level == other.level;
  }
}
