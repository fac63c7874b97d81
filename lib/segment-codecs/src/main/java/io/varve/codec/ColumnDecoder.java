package io.varve.codec;

import io.varve.codec.ColumnLayout.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads any part of a block that {@link ColumnEncoder} laid out. After the {@link ColumnLayout} is
 * known, reading a document takes time proportional to its length.
 */
final class ColumnDecoder {

  /** Bytes that may be read and written beyond the end of an array's content. */
  static final int SLACK = ColumnLayout.SLACK;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BYTES_AT_ONCE = 64;

  private final ColumnLayout layout = new ColumnLayout();
  private boolean rows;
  private byte[] part = new byte[0];

  /** An array for the next payload, to be filled before {@link #load}. */
  byte[] payload(int length) {
    return layout.payload(length);
  }

  /** Returns the length of the block. */
  int load(int length) {
    byte kind = layout.payload[0];
    rows = kind == ColumnEncoder.ROWS;
    if (rows) {
      return length - 1;
    }
    if (kind != ColumnEncoder.COLUMNS) {
      throw new IndexOutOfBoundsException("unknown layout: " + kind);
    }
    return layout.load(length);
  }

  /**
   * Copies bytes of the block.
   *
   * @param target has {@link #SLACK} bytes after the requested ones
   */
  void copy(int offset, int length, byte[] target) {
    if (rows) {
      System.arraycopy(layout.payload, 1 + offset, target, 0, length);
      return;
    }
    int[] starts = layout.starts;
    int record = Arrays.binarySearch(starts, 0, layout.records, offset);
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
    Shape shape = layout.shapes[layout.shapeOf[record]];
    int ordinal = layout.ordinalOf[record];
    int length = layout.lengths[shape.lengthsFrom + ordinal];
    byte[] payload = layout.payload;
    int at = Varints.write(target, from, shape.head);
    at = Varints.write(target, at, length);
    if (shape.json) {
      emitJson(shape, ordinal, target, at);
    } else if (shape.common < 0) {
      System.arraycopy(
          payload, layout.wholeStarts[shape.lengthsFrom + ordinal], target, at, length);
    } else {
      for (int i = 0; i < length; i++) {
        target[at + i] = payload[shape.first + i * shape.records + ordinal];
      }
    }
  }

  private void emitJson(Shape shape, int ordinal, byte[] target, int from) {
    byte[] payload = layout.payload;
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
    int width = layout.payload[shape.widthsFrom + hole];
    if (width > 0) {
      return copyDigits(shape.columns[hole] + ordinal, width, shape.records, target, at);
    }
    int line = shape.columns[hole] + ordinal;
    int start = layout.lineEnd(line - 1) + 1;
    return copyShort(start, layout.lineEnds[line] - start, target, at);
  }

  private int copyReferring(Shape shape, int hole, int ordinal, byte[] target, int begin) {
    int line = shape.columns[hole] + ordinal;
    int at = begin;
    byte[] payload = layout.payload;
    int end = layout.lineEnds[line];
    for (int from = layout.lineEnd(line - 1) + 1; from < end; from++) {
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
    byte[] payload = layout.payload;
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
    byte[] payload = layout.payload;
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
