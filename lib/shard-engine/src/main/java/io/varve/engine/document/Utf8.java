package io.varve.engine.document;

/**
 * Checks that bytes are well-formed UTF-8 (RFC 3629: shortest form, no surrogates, at most
 * U+10FFFF) without a byte order mark.
 *
 * <p>A source is stored as received and embedded in responses. Their readers may be stricter than
 * this node's JSON parser, which also accepts UTF-16 and does not check values that it skips.
 */
public final class Utf8 {

  private Utf8() {}

  /** The position of the first invalid byte; -1 if there is none. */
  public static int firstInvalid(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      // Most bytes are ASCII.
      while (at < bytes.length && bytes[at] > 0) {
        at++;
      }
      if (at == bytes.length) {
        return -1;
      }
      int length = sequence(bytes, at);
      if (length == 0 || isMark(bytes, at)) {
        return at;
      }
      at += length;
    }
    return -1;
  }

  /** The number of bytes of the character at {@code at}; 0 if it is invalid. */
  private static int sequence(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    if (first >= 0xc2 && first <= 0xdf) {
      return continues(bytes, at + 1, 1) ? 2 : 0;
    }
    int second = at + 1 < bytes.length ? bytes[at + 1] & 0xff : 0;
    if (first >= 0xe0 && first <= 0xef) {
      boolean overlong = first == 0xe0 && second < 0xa0;
      boolean surrogate = first == 0xed && second > 0x9f;
      return !overlong && !surrogate && continues(bytes, at + 1, 2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
      boolean overlong = first == 0xf0 && second < 0x90;
      boolean tooLarge = first == 0xf4 && second > 0x8f;
      return !overlong && !tooLarge && continues(bytes, at + 1, 3) ? 4 : 0;
    }
    return 0;
  }

  private static boolean continues(byte[] bytes, int from, int count) {
    if (from + count > bytes.length) {
      return false;
    }
    for (int i = from; i < from + count; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean isMark(byte[] bytes, int at) {
    return at == 0
        && (bytes[0] & 0xff) == 0xef
        && (bytes[1] & 0xff) == 0xbb
        && (bytes[2] & 0xff) == 0xbf;
  }
}
