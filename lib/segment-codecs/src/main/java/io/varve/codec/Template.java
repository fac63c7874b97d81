package io.varve.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The structure of JSON documents, a text without values, and the values of the block's documents
 * with this structure. A template without text holds values that are stored whole.
 *
 * <p>In the text {@link #HOLE} stands for a value, {@link #LIST} for the values between brackets.
 */
final class Template {

  static final byte HOLE = 0;
  static final byte LIST = 1;

  final long head;
  final boolean json;
  final byte[] text;
  final int hash;
  final int[] holes;

  /** Start and end of each value in the block, record by record. */
  int[] values;

  int records;

  /** By hole: the width of its column, 0 for a column of lines, or {@link References#REFERS}. */
  final byte[] widths;

  /** By hole with references: the holes that its references stand for. */
  int @Nullable [][] parts = new int[0][];

  /** The index of the template that followed the last record of this one. */
  int follower = -1;

  Template(long head, boolean json, byte[] text, int hash, int holeCount) {
    this.head = head;
    this.json = json;
    this.text = text;
    this.hash = hash;
    this.holes = json ? holesOf(text, holeCount) : new int[1];
    this.widths = new byte[holes.length];
    this.values = new int[32 * Math.max(1, holes.length)];
  }

  private static int[] holesOf(byte[] text, int count) {
    int[] holes = new int[count];
    int found = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == HOLE || text[i] == LIST) {
        holes[found++] = i;
      }
    }
    return holes;
  }

  boolean is(long otherHead, int otherHash, byte[] other, int length) {
    return json
        && hash == otherHash
        && head == otherHead
        && Arrays.equals(text, 0, text.length, other, 0, length);
  }

  /** Reserves room for the values of one more record; returns where they begin. */
  int room() {
    int from = records * holes.length * 2;
    int needed = from + holes.length * 2;
    if (needed > values.length) {
      values = Arrays.copyOf(values, Math.max(needed, values.length * 2));
    }
    return from;
  }

  void add(int[] starts) {
    int from = room();
    System.arraycopy(starts, 0, values, from, holes.length * 2);
    records++;
  }

  /**
   * Adds a record if it has this structure.
   *
   * @return whether it has
   */
  boolean takes(byte[] block, int from, int to) {
    int value = room();
    int at = from;
    int piece = 0;
    for (int hole : holes) {
      int length = hole - piece;
      if (at + length > to || !Arrays.equals(block, at, at + length, text, piece, hole)) {
        return false;
      }
      at += length;
      int end = endOfValue(block, at, to, hole);
      if (end < 0) {
        return false;
      }
      values[value++] = at;
      values[value++] = end;
      at = end;
      piece = hole + 1;
    }
    if (!Arrays.equals(block, at, to, text, piece, text.length)) {
      return false;
    }
    records++;
    return true;
  }

  private int endOfValue(byte[] block, int at, int to, int hole) {
    if (text[hole] == LIST) {
      return JsonSplitter.endOfList(block, at, to);
    }
    return hole > 0 && text[hole - 1] == '"'
        ? JsonSplitter.endOfString(block, at, to)
        : JsonSplitter.endOfScalar(block, at, to);
  }
}
