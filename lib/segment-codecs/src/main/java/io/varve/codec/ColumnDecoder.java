package io.varve.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads any part of a block that {@link ColumnEncoder} laid out. The block is scanned once to
 * locate values and records; afterwards, reading a document takes time proportional to its length.
 */
final class ColumnDecoder {

  /** Bytes that may be read and written beyond the end of an array's content. */
  static final int SLACK = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long LINE_BREAKS = 0x0A0A0A0A0A0A0A0AL;
  private static final int BYTES_AT_ONCE = 64;

  /** The columns of one template. */
  private static final class Shape {
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

  private byte[] payload = new byte[0];
  private boolean rows;
  private int size;
  private Shape[] shapes = new Shape[0];
  private int records;
  private int linesFrom;
  private int[] lineEnds = new int[0];
  private int[] shapeOf = new int[0];
  private int[] ordinalOf = new int[0];
  private int[] starts = new int[0];
  private int[] lengths = new int[0];
  private int[] wholeStarts = new int[0];
  private byte[] part = new byte[0];

  /** An array for the next payload, to be filled before {@link #load}. */
  byte[] payload(int length) {
    if (payload.length < length + SLACK) {
      payload = new byte[length + length / 4 + SLACK];
    }
    return payload;
  }

  /** Returns the length of the block. */
  int load(int length) {
    rows = payload[0] == ColumnEncoder.ROWS;
    if (rows) {
      size = length - 1;
      return size;
    }
    if (payload[0] != ColumnEncoder.COLUMNS) {
      throw new IndexOutOfBoundsException("unknown layout: " + payload[0]);
    }
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
    size = findRecords();
    return size;
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

  private int lineEnd(int value) {
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

  /**
   * Copies bytes of the block.
   *
   * @param target has {@link #SLACK} bytes after the requested ones
   */
  void copy(int offset, int length, byte[] target) {
    if (rows) {
      System.arraycopy(payload, 1 + offset, target, 0, length);
      return;
    }
    int record = Arrays.binarySearch(starts, 0, records, offset);
    record = record < 0 ? -record - 2 : record;
    int at = 0;
    while (at < length) {
      int from = offset + at - starts[record];
      int whole = starts[record + 1] - starts[record];
      int wanted = Math.min(whole - from, length - at);
      if (wanted == whole) {
        emit(record, target, at);
      } else {
        if (part.length < whole + SLACK) {
          part = new byte[whole + SLACK];
        }
        emit(record, part, 0);
        System.arraycopy(part, from, target, at, wanted);
      }
      at += wanted;
      record++;
    }
  }

  private void emit(int record, byte[] target, int from) {
    Shape shape = shapes[shapeOf[record]];
    int ordinal = ordinalOf[record];
    int length = lengths[shape.lengthsFrom + ordinal];
    int at = Varints.write(target, from, shape.head);
    at = Varints.write(target, at, length);
    if (shape.json) {
      emitJson(shape, ordinal, target, at);
    } else if (shape.common < 0) {
      System.arraycopy(payload, wholeStarts[shape.lengthsFrom + ordinal], target, at, length);
    } else {
      for (int i = 0; i < length; i++) {
        target[at + i] = payload[shape.first + i * shape.records + ordinal];
      }
    }
  }

  private void emitJson(Shape shape, int ordinal, byte[] target, int from) {
    int[] pieces = shape.pieces;
    int at = from;
    for (int i = 0; i < shape.holes; i++) {
      at = copyShort(pieces[i], pieces[i + 1] - 1 - pieces[i], target, at);
      at =
          payload[shape.widthsFrom + i] == References.REFERS
              ? copyReferring(shape, i, ordinal, target, at)
              : copyValue(shape, i, ordinal, target, at);
    }
    int last = pieces[shape.holes];
    System.arraycopy(payload, last, target, at, pieces[shape.holes + 1] - 1 - last);
  }

  private int copyValue(Shape shape, int hole, int ordinal, byte[] target, int at) {
    int width = payload[shape.widthsFrom + hole];
    if (width > 0) {
      return copyDigits(shape.columns[hole] + ordinal, width, shape.records, target, at);
    }
    int line = shape.columns[hole] + ordinal;
    int start = lineEnd(line - 1) + 1;
    return copyShort(start, lineEnds[line] - start, target, at);
  }

  private int copyReferring(Shape shape, int hole, int ordinal, byte[] target, int begin) {
    int line = shape.columns[hole] + ordinal;
    int at = begin;
    for (int from = lineEnd(line - 1) + 1; from < lineEnds[line]; from++) {
      byte b = payload[from];
      if (References.isCode(b)) {
        int part = shape.parts[hole][b - References.FIRST_CODE];
        at = copyValue(shape, part, ordinal, target, at);
      } else {
        target[at++] = b;
      }
    }
    return at;
  }

  private int copyDigits(int from, int width, int step, byte[] target, int begin) {
    int at = begin;
    int digit = from;
    int end = from + width * step;
    while (digit < end && payload[digit] == ColumnWidths.FILLING) {
      digit += step;
    }
    for (; digit < end; digit += step) {
      target[at++] = payload[digit];
    }
    return at;
  }

  /** Copies whole words, and so up to seven bytes too many, which the next copy overwrites. */
  private int copyShort(int from, int length, byte[] target, int at) {
    if (length > BYTES_AT_ONCE) {
      System.arraycopy(payload, from, target, at, length);
    } else {
      for (int i = 0; i < length; i += Long.BYTES) {
        LONG.set(target, at + i, (long) LONG.get(payload, from + i));
      }
    }
    return at + length;
  }
}
