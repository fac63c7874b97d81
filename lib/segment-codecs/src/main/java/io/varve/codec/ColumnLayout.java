package io.varve.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Locates the values and records of a block that {@link ColumnEncoder} laid out, in one scan.
 *
 * <pre>
 *   1  templates            {@link ColumnShape}, one for each
 *   2  order                the template of each record
 *   3  whole values         records that are not JSON
 *   4  columns of digits    fixed width, one byte of each record after the other
 *   5  columns of lines     values that end in a line break
 * </pre>
 *
 * Arrays are reused from block to block.
 */
final class ColumnLayout {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long LINE_BREAKS = 0x0A0A0A0A0A0A0A0AL;

  private byte[] payload = new byte[0];
  private int linesFrom;
  private int[] starts = new int[0];
  ColumnShape[] shapes = new ColumnShape[0];
  int records;

  /** By line: the position of its line break. */
  int[] lineEnds = new int[0];

  /** By record: the index of its template, and its ordinal among the records of that template. */
  int[] shapeOf = new int[0];

  int[] ordinalOf = new int[0];

  /** By template and ordinal: the length of the record, and its start if it is whole. */
  int[] lengths = new int[0];

  int[] wholeStarts = new int[0];

  /**
   * Scans a block and returns its decoded length.
   *
   * @param block has {@link ColumnDecoder#SLACK} bytes after its {@code length}
   */
  int scan(byte[] block, int length) {
    payload = block;
    ByteCursor cursor = new ByteCursor(payload, 1, length);
    records = cursor.size();
    readShapes(cursor);
    readOrder(cursor);
    measureWhole(cursor);
    int lines = placeColumns(cursor);
    linesFrom = cursor.at;
    findLines(length, lines);
    for (ColumnShape shape : shapes) {
      if (shape.json) {
        measure(shape);
      }
    }
    return findRecords();
  }

  /** The record at an offset of the decoded block. */
  int recordAt(int offset) {
    int record = Arrays.binarySearch(starts, 0, records, offset);
    return record < 0 ? -record - 2 : record;
  }

  /**
   * The start of a record in the decoded block; for the number of records, the end of the block.
   */
  int start(int record) {
    return starts[record];
  }

  private void readShapes(ByteCursor cursor) {
    shapes = new ColumnShape[cursor.size()];
    for (int i = 0; i < shapes.length; i++) {
      ColumnShape shape = new ColumnShape();
      shape.head = cursor.number();
      int length = cursor.size();
      shape.json = (length & 1) == 1;
      shape.textLength = length >>> 1;
      cursor.at += shape.textLength;
      if (shape.json) {
        shape.pieces = pieces(cursor.at - shape.textLength, cursor.at);
        shape.placeholders = shape.pieces.length - 2;
        shape.widthsFrom = cursor.at;
        shape.columns = new int[shape.placeholders];
        cursor.at += shape.placeholders;
        readParts(shape, cursor);
      }
      shapes[i] = shape;
    }
  }

  private void readParts(ColumnShape shape, ByteCursor cursor) {
    shape.parts = new int[shape.placeholders][];
    for (int placeholder = 0; placeholder < shape.placeholders; placeholder++) {
      if (payload[shape.widthsFrom + placeholder] != References.REFERS) {
        continue;
      }
      int[] parts = new int[Math.min(cursor.size(), References.CODES)];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = cursor.size();
        if (payload[shape.widthsFrom + Objects.checkIndex(parts[i], shape.placeholders)]
            == References.REFERS) {
          throw new IndexOutOfBoundsException("a reference to a column with references");
        }
      }
      shape.parts[placeholder] = parts;
    }
  }

  private int[] pieces(int from, int to) {
    int[] pieces = new int[16];
    int count = 0;
    pieces[count++] = from;
    for (int i = from; i < to; i++) {
      if (payload[i] == Template.PLACEHOLDER || payload[i] == Template.LIST) {
        if (count + 1 >= pieces.length) {
          pieces = Arrays.copyOf(pieces, pieces.length * 2);
        }
        pieces[count++] = i + 1;
      }
    }
    // The end of the text is treated as one more placeholder, so that each piece ends one byte
    // before the next one starts.
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
    for (ColumnShape shape : shapes) {
      shape.lengthsFrom = from;
      from += shape.records;
    }
  }

  private void measureWhole(ByteCursor cursor) {
    if (wholeStarts.length < records) {
      wholeStarts = new int[records + records / 4];
    }
    for (ColumnShape shape : shapes) {
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
    for (ColumnShape shape : shapes) {
      for (int placeholder = 0; placeholder < shape.placeholders; placeholder++) {
        int width = payload[shape.widthsFrom + placeholder];
        shape.columns[placeholder] = width > 0 ? cursor.at : lines;
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

  private void measure(ColumnShape shape) {
    int from = shape.lengthsFrom;
    Arrays.fill(lengths, from, from + shape.records, shape.textLength - shape.placeholders);
    for (int placeholder = 0; placeholder < shape.placeholders; placeholder++) {
      int width = payload[shape.widthsFrom + placeholder];
      if (width > 0) {
        measureDigits(shape, shape.columns[placeholder], width);
        continue;
      }
      int line = shape.columns[placeholder];
      int before = lineEnd(line - 1);
      for (int i = from; i < from + shape.records; i++) {
        int end = lineEnds[line++];
        lengths[i] += end - before - 1;
        if (width == References.REFERS) {
          lengths[i] += expansion(shape, shape.parts[placeholder], before + 1, end, i - from);
        }
        before = end;
      }
    }
  }

  /** The number of bytes that a line gains when its references are replaced. */
  private int expansion(ColumnShape shape, int[] parts, int from, int to, int ordinal) {
    int expansion = 0;
    for (int at = from; at < to; at++) {
      if (References.isCode(payload[at])) {
        expansion += valueLength(shape, parts[payload[at] - References.FIRST_CODE], ordinal) - 1;
      }
    }
    return expansion;
  }

  private int valueLength(ColumnShape shape, int placeholder, int ordinal) {
    int width = payload[shape.widthsFrom + placeholder];
    if (width <= 0) {
      int line = shape.columns[placeholder] + ordinal;
      return lineEnds[line] - lineEnd(line - 1) - 1;
    }
    int length = width;
    for (int at = shape.columns[placeholder] + ordinal;
        length > 0 && payload[at] == ColumnWidths.FILLING;
        at += shape.records) {
      length--;
    }
    return length;
  }

  private void measureDigits(ColumnShape shape, int column, int width) {
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

  /** The position of the line break before the next line; {@code value} -1 is before the first. */
  int lineEnd(int value) {
    return value < 0 ? linesFrom - 1 : lineEnds[value];
  }

  private int findRecords() {
    int at = 0;
    for (int i = 0; i < records; i++) {
      starts[i] = at;
      ColumnShape shape = shapes[shapeOf[i]];
      int length = lengths[shape.lengthsFrom + ordinalOf[i]];
      at += Varints.length(shape.head) + Varints.length(length) + length;
    }
    starts[records] = at;
    return at;
  }
}
