package io.varve.codec;

import java.util.Arrays;

/**
 * Splits JSON into a text without values and the values. For any input, merging text and values
 * gives the original bytes. A value never contains a line break, which separates values.
 */
final class JsonSplitter {

  /**
   * A longer list of numbers is treated as one value, so that documents whose lists have different
   * lengths have the same text.
   */
  private static final int NUMBERS_APART = 3;

  private static final boolean[] SCALAR = new boolean[256];

  static {
    for (char c = 'a'; c <= 'z'; c++) {
      SCALAR[c] = true;
      SCALAR[c - 'a' + 'A'] = true;
    }
    for (char c = '0'; c <= '9'; c++) {
      SCALAR[c] = true;
    }
    SCALAR['-'] = true;
    SCALAR['+'] = true;
    SCALAR['.'] = true;
  }

  byte[] text = new byte[1024];
  int length;
  int[] values = new int[64];
  int placeholders;

  /** Whether the bytes can be split. */
  boolean scan(byte[] block, int from, int to) {
    length = 0;
    placeholders = 0;
    // The text can be longer than the JSON only because of empty strings, which take three bytes
    // instead of two.
    if (text.length < (to - from) * 2) {
      text = new byte[(to - from) * 3];
    }
    int at = from;
    while (at < to) {
      byte c = block[at];
      if (c == '"') {
        at = string(block, at, to);
        if (at < 0) {
          return false;
        }
      } else if (SCALAR[c & 0xFF]) {
        int end = endOfScalar(block, at, to);
        placeholder(Template.PLACEHOLDER, at, end);
        at = end;
      } else if (c == '[') {
        text[length++] = c;
        at = list(block, at + 1, to);
      } else if (c == Template.PLACEHOLDER || c == Template.LIST) {
        return false;
      } else {
        text[length++] = c;
        at++;
      }
    }
    return true;
  }

  private int string(byte[] block, int at, int to) {
    int end = endOfString(block, at + 1, to);
    if (end < 0) {
      return -1;
    }
    text[length++] = '"';
    if (isKey(block, end + 1, to)) {
      for (int i = at + 1; i < end; i++) {
        if (block[i] == Template.PLACEHOLDER || block[i] == Template.LIST) {
          return -1;
        }
        text[length++] = block[i];
      }
    } else {
      placeholder(Template.PLACEHOLDER, at + 1, end);
    }
    text[length++] = '"';
    return end + 1;
  }

  private static boolean isKey(byte[] block, int at, int to) {
    int i = at;
    while (i < to && isSpace(block[i])) {
      i++;
    }
    return i < to && block[i] == ':';
  }

  private static boolean isSpace(byte c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private int list(byte[] block, int at, int to) {
    int end = endOfList(block, at, to);
    if (end <= at) {
      return at;
    }
    if (block[at] != '"' && commas(block, at, end) < NUMBERS_APART) {
      return at;
    }
    placeholder(Template.LIST, at, end);
    return end;
  }

  private static int commas(byte[] block, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if (block[i] == ',') {
        count++;
      }
    }
    return count;
  }

  private void placeholder(byte marker, int from, int to) {
    text[length++] = marker;
    if (placeholders * 2 + 2 > values.length) {
      values = Arrays.copyOf(values, values.length * 2);
    }
    values[placeholders * 2] = from;
    values[placeholders * 2 + 1] = to;
    placeholders++;
  }

  int hash() {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + text[i];
    }
    return hash;
  }

  /** The position of the closing quote of a string, or -1. */
  static int endOfString(byte[] block, int from, int to) {
    for (int i = from; i < to; i++) {
      byte c = block[i];
      if (c == '"') {
        return i;
      }
      if (c == '\\') {
        i++;
        if (i < to && block[i] == '\n') {
          return -1;
        }
      } else if (c == '\n') {
        return -1;
      }
    }
    return -1;
  }

  static int endOfScalar(byte[] block, int from, int to) {
    int i = from;
    while (i < to && SCALAR[block[i] & 0xFF]) {
      i++;
    }
    return i;
  }

  /** The position of the closing bracket of a list of scalars and strings, or -1. */
  static int endOfList(byte[] block, int from, int to) {
    int i = from;
    while (i < to) {
      byte c = block[i];
      if (c == ']') {
        return i;
      }
      if (c == '"') {
        i = endOfString(block, i + 1, to);
        if (i < 0) {
          return -1;
        }
      } else if (c == '[' || c == '{' || c == '\n') {
        return -1;
      }
      i++;
    }
    return -1;
  }
}
