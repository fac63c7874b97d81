package io.varve.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Where the values and the records of a block are that {@link ColumnEncoder} laid out by columns.
 * The block is scanned once.
 *
 * <p>Not thread-safe. The arrays are reused for the next block; they may be longer than their
 * content.
 */
final class ColumnLayout {

  /** Bytes that may be read and written beyond the end of an array's content. */
  static final int SLACK = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long LINE_BREAKS = 0x0A0A0A0A0A0A0A0AL;

  /** The columns of one template. */
  static final class Shape {
    long head;
    boolean json;
    int textLength;

    /** Starts of the pieces of text, followed by the end of the last one. */
    int[] pieces = new int[0];

    int holes;
    int records;

    /** Where the widths of its columns begin. */
    int widthsFrom;

    /**
     * By hole: where a column of digits begins or, for a column of lines, the index of its first
     * value among all lines.
     */
    int[] columns = new int[0];

    /** By hole with references: the holes that its references stand for. */
    int[][] parts = new int[0][];

    /** Where the bytes of whole values begin. */
    int first;

    /** The common length of whole values, or -1. */
    int common;

    /** The index of its records' lengths among those of all templates. */
    int lengthsFrom;
  }

  byte[] payload = new byte[0];
  Shape[] shapes = new Shape[0];
  int records;

  /** Where the lines begin. */
  int linesFrom;

  int[] lineEnds = new int[0];

  /** By record: its template, and its index among the records of that template. */
  int[] shapeOf = new int[0];

  int[] ordinalOf = new int[0];

  /** By record: where it begins in the block; then the length of the block. */
  int[] starts = new int[0];

  /** By template and record: the length of the value. */
  int[] lengths = new int[0];

  /** By template and record: where the value begins, of templates that are not JSON. */
  int[] wholeStarts = new int[0];

  /** An array for the next payload, to be filled before {@link #load}. */
  byte[] payload(int length) {
    if (payload.length < length + SLACK) {
      payload = new byte[length + length / 4 + SLACK];
    }
    return payload;
  }

  /** Scans a payload of that length; returns the length of the block. */
  int load(int length) {
    ByteCursor cursor = new ByteCursor(payload, 1, length);
    records = cursor.size();
    readShapes(cursor);
    readOrder(cursor);
    measureWhole(cursor);
    int lines = placeColumns(cursor);
    linesFrom = cursor.at;
    findLines(length, lines);
    for (Shape shape : shapes) {
      if (shape.json) {
        measure(shape);
      }
    }
    return findRecords();
  }

  private void readShapes(ByteCursor cursor) {
    shapes = new Shape[cursor.size()];
    for (int i = 0; i < shapes.length; i++) {
      Shape shape = new Shape();
      shape.head = cursor.number();
      int length = cursor.size();
      shape.json = (length & 1) == 1;
      shape.textLength = length >>> 1;
      cursor.at += shape.textLength;
      if (shape.json) {
        shape.pieces = pieces(cursor.at - shape.textLength, cursor.at);
        shape.holes = shape.pieces.length - 2;
        shape.widthsFrom = cursor.at;
        shape.columns = new int[shape.holes];
        cursor.at += shape.holes;
        readParts(shape, cursor);
      }
      shapes[i] = shape;
    }
  }

  private void readParts(Shape shape, ByteCursor cursor) {
    shape.parts = new int[shape.holes][];
    for (int hole = 0; hole < shape.holes; hole++) {
      if (payload[shape.widthsFrom + hole] != References.REFERS) {
        continue;
      }
      int[] parts = new int[Math.min(cursor.size(), References.CODES)];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = cursor.size();
        if (payload[shape.widthsFrom + Objects.checkIndex(parts[i], shape.holes)]
            == References.REFERS) {
          throw new IndexOutOfBoundsException("a reference to a column with references");
        }
      }
      shape.parts[hole] = parts;
    }
  }

  private int[] pieces(int from, int to) {
    int[] pieces = new int[16];
    int count = 0;
    pieces[count++] = from;
    for (int i = from; i < to; i++) {
      if (payload[i] == Template.HOLE || payload[i] == Template.LIST) {
        if (count + 1 >= pieces.length) {
          pieces = Arrays.copyOf(pieces, pieces.length * 2);
        }
        pieces[count++] = i + 1;
      }
    }
    // Treats the end of the text as one more hole, so that each piece ends one before the next
    // begins.
    pieces[count++] = to + 1;
    return Arrays.copyOf(pieces, count);
  }

  private void readOrder(ByteCursor cursor) {
    if (starts.length <= records) {
      shapeOf = new int[records + records / 4];
      ordinalOf = new int[records + records / 4];
      starts = new int[records + records / 4 + 1];
      lengths = new int[records + records / 4];
    }
    boolean one = shapes.length == 1;
    for (int i = 0; i < records; i++) {
      int number = one ? 0 : payload[cursor.at++] & 0xFF;
      shapeOf[i] = number;
      ordinalOf[i] = shapes[number].records++;
    }
    int from = 0;
    for (Shape shape : shapes) {
      shape.lengthsFrom = from;
      from += shape.records;
    }
  }

  private void measureWhole(ByteCursor cursor) {
    if (wholeStarts.length < records) {
      wholeStarts = new int[records + records / 4];
    }
    for (Shape shape : shapes) {
      if (shape.json) {
        continue;
      }
      shape.common = cursor.size() - 1;
      if (shape.common < 0) {
        for (int i = 0; i < shape.records; i++) {
          lengths[shape.lengthsFrom + i] = cursor.size();
        }
      } else {
        Arrays.fill(lengths, shape.lengthsFrom, shape.lengthsFrom + shape.records, shape.common);
      }
      shape.first = cursor.at;
      for (int i = shape.lengthsFrom; i < shape.lengthsFrom + shape.records; i++) {
        wholeStarts[i] = cursor.at;
        cursor.at += lengths[i];
      }
    }
  }

  /** Returns the number of lines. */
  private int placeColumns(ByteCursor cursor) {
    int lines = 0;
    for (Shape shape : shapes) {
      for (int hole = 0; hole < shape.holes; hole++) {
        int width = payload[shape.widthsFrom + hole];
        shape.columns[hole] = width > 0 ? cursor.at : lines;
        cursor.at += Math.max(0, width) * shape.records;
        lines += width > 0 ? 0 : shape.records;
      }
    }
    return lines;
  }

  /** Finds all line breaks of the columns, eight bytes at a time. */
  private void findLines(int length, int count) {
    if (lineEnds.length < count + Long.BYTES) {
      lineEnds = new int[count + count / 4 + Long.BYTES];
    }
    int[] ends = lineEnds;
    byte[] bytes = payload;
    Arrays.fill(bytes, length, length + Long.BYTES, (byte) 0);
    int found = 0;
    for (int at = linesFrom; at < length; at += Long.BYTES) {
      long word = (long) LONG.get(bytes, at) ^ LINE_BREAKS;
      long zeros = ~((word & LOW_BITS) + LOW_BITS | word | LOW_BITS);
      while (zeros != 0) {
        ends[found++] = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        zeros &= zeros - 1;
      }
    }
    if (found != count) {
      throw new IndexOutOfBoundsException(found + " lines instead of " + count);
    }
  }

  private void measure(Shape shape) {
    int from = shape.lengthsFrom;
    Arrays.fill(lengths, from, from + shape.records, shape.textLength - shape.holes);
    for (int hole = 0; hole < shape.holes; hole++) {
      int width = payload[shape.widthsFrom + hole];
      if (width > 0) {
        measureDigits(shape, shape.columns[hole], width);
        continue;
      }
      int line = shape.columns[hole];
      int before = lineEnd(line - 1);
      for (int i = from; i < from + shape.records; i++) {
        int end = lineEnds[line++];
        lengths[i] += end - before - 1;
        if (width == References.REFERS) {
          lengths[i] += growth(shape, shape.parts[hole], before + 1, end, i - from);
        }
        before = end;
      }
    }
  }

  /** The number of bytes that a line gains when its references are replaced. */
  private int growth(Shape shape, int[] parts, int from, int to, int ordinal) {
    int growth = 0;
    for (int at = from; at < to; at++) {
      if (References.isCode(payload[at])) {
        growth += valueLength(shape, parts[payload[at] - References.FIRST_CODE], ordinal) - 1;
      }
    }
    return growth;
  }

  private int valueLength(Shape shape, int hole, int ordinal) {
    int width = payload[shape.widthsFrom + hole];
    if (width <= 0) {
      int line = shape.columns[hole] + ordinal;
      return lineEnds[line] - lineEnd(line - 1) - 1;
    }
    int length = width;
    for (int at = shape.columns[hole] + ordinal;
        length > 0 && payload[at] == ColumnWidths.FILLING;
        at += shape.records) {
      length--;
    }
    return length;
  }

  private void measureDigits(Shape shape, int column, int width) {
    int from = shape.lengthsFrom;
    int count = shape.records;
    for (int i = 0; i < count; i++) {
      int length = width;
      for (int at = column + i; length > 0 && payload[at] == ColumnWidths.FILLING; at += count) {
        length--;
      }
      lengths[from + i] += length;
    }
  }

  /** Where a line ends; -1 stands for the one before the first. */
  int lineEnd(int value) {
    return value < 0 ? linesFrom - 1 : lineEnds[value];
  }

  private int findRecords() {
    int at = 0;
    for (int i = 0; i < records; i++) {
      starts[i] = at;
      Shape shape = shapes[shapeOf[i]];
      int length = lengths[shape.lengthsFrom + ordinalOf[i]];
      at += Varints.length(shape.head) + Varints.length(length) + length;
    }
    starts[records] = at;
    return at;
  }
}
