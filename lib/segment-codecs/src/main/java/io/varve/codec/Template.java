package io.varve.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The structure of JSON documents, a text without values, and the values of the block's documents
 * with this structure. A template without text holds values that are stored whole.
 *
 * <p>In the text, {@link #PLACEHOLDER} denotes a value, and {@link #LIST} the values between
 * brackets.
 */
final class Template {

  static final byte PLACEHOLDER = 0;
  static final byte LIST = 1;

  final long head;
  final boolean json;
  final byte[] text;
  final int hash;
  final int[] placeholders;

  /** Start and end of each value in the block, record by record. */
  int[] values;

  int records;

  /**
   * By placeholder: the width of its column, 0 for a column of lines, or {@link References#REFERS}.
   */
  final byte[] widths;

  /** By placeholder with references: the placeholders that its references denote. */
  int @Nullable [][] parts = new int[0][];

  /** The index of the template that followed the last record of this one. */
  int follower = -1;

  Template(long head, boolean json, byte[] text, int hash, int placeholderCount) {
    this.head = head;
    this.json = json;
    this.text = text;
    this.hash = hash;
    this.placeholders = json ? placeholdersOf(text, placeholderCount) : new int[1];
    this.widths = new byte[placeholders.length];
    this.values = new int[32 * Math.max(1, placeholders.length)];
  }

  private static int[] placeholdersOf(byte[] text, int count) {
    int[] placeholders = new int[count];
    int found = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == PLACEHOLDER || text[i] == LIST) {
        placeholders[found++] = i;
      }
    }
    return placeholders;
  }

  boolean is(long otherHead, int otherHash, byte[] other, int length) {
    return json
        && hash == otherHash
        && head == otherHead
        && Arrays.equals(text, 0, text.length, other, 0, length);
  }

  /** Reserves room for the values of one more record; returns their start. */
  int room() {
    int from = records * placeholders.length * 2;
    int needed = from + placeholders.length * 2;
    if (needed > values.length) {
      values = Arrays.copyOf(values, Math.max(needed, values.length * 2));
    }
    return from;
  }

  void add(int[] starts) {
    int from = room();
    System.arraycopy(starts, 0, values, from, placeholders.length * 2);
    records++;
  }

  /**
   * Adds a record if it has this structure.
   *
   * @return whether it was added
   */
  boolean takes(byte[] block, int from, int to) {
    int value = room();
    int at = from;
    int piece = 0;
    for (int placeholder : placeholders) {
      int length = placeholder - piece;
      if (at + length > to || !Arrays.equals(block, at, at + length, text, piece, placeholder)) {
        return false;
      }
      at += length;
      int end = endOfValue(block, at, to, placeholder);
      if (end < 0) {
        return false;
      }
      values[value++] = at;
      values[value++] = end;
      at = end;
      piece = placeholder + 1;
    }
    if (!Arrays.equals(block, at, to, text, piece, text.length)) {
      return false;
    }
    records++;
    return true;
  }

  private int endOfValue(byte[] block, int at, int to, int placeholder) {
    if (text[placeholder] == LIST) {
      return JsonSplitter.endOfList(block, at, to);
    }
    return placeholder > 0 && text[placeholder - 1] == '"'
        ? JsonSplitter.endOfString(block, at, to)
        : JsonSplitter.endOfScalar(block, at, to);
  }
}
