package io.varve.codec;

/** The positions of one template's columns in a block, and the number of its records. */
final class ColumnShape {
  long head;
  boolean json;
  int textLength;

  /** Starts of the pieces of text, followed by the end of the last one. */
  int[] pieces = new int[0];

  int placeholders;
  int records;

  /** The start of the widths of its columns. */
  int widthsFrom;

  /**
   * By placeholder: the start of a column of digits or, for a column of lines, the index of its
   * first value among all lines.
   */
  int[] columns = new int[0];

  /** By placeholder with references: the placeholders that its references denote. */
  int[][] parts = new int[0][];

  /** The start of the bytes of whole values. */
  int first;

  /** The common length of whole values, or -1. */
  int common;

  /** The index of its records' lengths among those of all templates. */
  int lengthsFrom;
}
