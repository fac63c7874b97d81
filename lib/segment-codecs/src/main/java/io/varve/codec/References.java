package io.varve.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes values that contain other values of their document, such as a log line that contains the
 * values of other fields. In such a column, one byte denotes the value of another placeholder.
 *
 * <p>Those bytes are control characters, which JSON strings can't contain unescaped. A column that
 * contains one anyway has no references.
 */
final class References {

  /** The width that marks a column of lines with references. */
  static final byte REFERS = -1;

  static final int FIRST_CODE = 0x0E;
  static final int CODES = 18;

  private static final int SHORTEST = 3;
  private static final int SHORTEST_REFERRING = 24;
  private static final int LOOKED_AT = 16;

  private References() {}

  static boolean isCode(byte b) {
    return b >= FIRST_CODE && b < FIRST_CODE + CODES;
  }

  /**
   * By placeholder: the placeholders whose values it usually contains, or null if there are none.
   * Long values refer to shorter ones; a placeholder that is the target of a reference has no
   * references itself.
   */
  static int @Nullable [][] find(Template template, byte[] block) {
    int placeholders = template.placeholders.length;
    int records = Math.min(LOOKED_AT, template.records);
    long[] byLength = new long[placeholders];
    for (int placeholder = 0; placeholder < placeholders; placeholder++) {
      byLength[placeholder] =
          ((long) bytes(template, placeholder, records) << Integer.SIZE) | placeholder;
    }
    Arrays.sort(byLength);
    int[] @Nullable [] found = new int[placeholders][];
    boolean[] referredTo = new boolean[placeholders];
    for (int i = placeholders - 1; i >= 0; i--) {
      int placeholder = (int) byLength[i];
      if (byLength[i] >>> Integer.SIZE < (long) SHORTEST_REFERRING * records) {
        break;
      }
      int[] parts =
          referredTo[placeholder]
              ? new int[0]
              : parts(template, placeholder, records, block, found);
      if (parts.length > 0) {
        found[placeholder] = parts;
        for (int part : parts) {
          referredTo[part] = true;
        }
      }
    }
    return found;
  }

  private static int[] parts(
      Template template, int placeholder, int records, byte[] block, int @Nullable [][] referring) {
    int[] parts = new int[CODES];
    int count = 0;
    for (int part = 0; part < template.placeholders.length && count < CODES; part++) {
      int hits = 0;
      for (int i = 0; i < records && part != placeholder && referring[part] == null; i++) {
        hits += has(template, block, i, placeholder, part) ? 1 : 0;
      }
      if (hits * 4 >= records * 3) {
        parts[count++] = part;
      }
    }
    return Arrays.copyOf(parts, count);
  }

  private static boolean has(
      Template template, byte[] block, int record, int placeholder, int part) {
    int v = (record * template.placeholders.length + placeholder) * 2;
    int p = (record * template.placeholders.length + part) * 2;
    int from = template.values[p];
    int length = template.values[p + 1] - from;
    if (length < SHORTEST) {
      return false;
    }
    int end = template.values[v + 1] - length;
    for (int at = template.values[v]; at <= end; at++) {
      if (Arrays.equals(block, at, at + length, block, from, from + length)) {
        return true;
      }
    }
    return false;
  }

  private static int bytes(Template template, int placeholder, int records) {
    int bytes = 0;
    for (int i = 0; i < records; i++) {
      int v = (i * template.placeholders.length + placeholder) * 2;
      bytes += template.values[v + 1] - template.values[v];
    }
    return bytes;
  }

  /** Whether no value of a column contains a byte that marks a reference. */
  static boolean isFree(Template template, int placeholder, byte[] block) {
    for (int i = 0; i < template.records; i++) {
      int v = (i * template.placeholders.length + placeholder) * 2;
      for (int at = template.values[v]; at < template.values[v + 1]; at++) {
        if (isCode(block[at])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Writes the value of a record and a line break; returns the position after it. */
  static int write(
      Template template, int record, int placeholder, byte[] block, byte[] out, int from) {
    int first = record * template.placeholders.length;
    int[] values = template.values;
    int[] parts = template.parts[placeholder];
    int to = from;
    int at = values[(first + placeholder) * 2];
    int end = values[(first + placeholder) * 2 + 1];
    while (at < end) {
      int code = longest(block, at, end, values, first, parts);
      if (code < 0) {
        out[to++] = block[at++];
      } else {
        int part = (first + parts[code]) * 2;
        at += values[part + 1] - values[part];
        out[to++] = (byte) (FIRST_CODE + code);
      }
    }
    out[to++] = '\n';
    return to;
  }

  private static int longest(byte[] block, int at, int end, int[] values, int first, int[] parts) {
    int best = -1;
    int bestLength = SHORTEST - 1;
    for (int code = 0; code < parts.length; code++) {
      int part = (first + parts[code]) * 2;
      int from = values[part];
      int length = values[part + 1] - from;
      if (length > bestLength
          && length <= end - at
          && block[from] == block[at]
          && Arrays.equals(block, at, at + length, block, from, from + length)) {
        best = code;
        bestLength = length;
      }
    }
    return best;
  }
}
