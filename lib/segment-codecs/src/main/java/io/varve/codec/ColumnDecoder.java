package io.varve.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads any part of a block that {@link ColumnEncoder} laid out. {@link ColumnLayout} locates
 * values and records once; afterwards, reading a document takes time proportional to its length.
 */
final class ColumnDecoder {

  /** Bytes that may be read and written beyond the end of an array's content. */
  static final int SLACK = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BYTES_AT_ONCE = 64;

  private final ColumnLayout layout = new ColumnLayout();
  private byte[] payload = new byte[0];
  private boolean rows;
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
      return length - 1;
    }
    if (payload[0] != ColumnEncoder.COLUMNS) {
      throw new IndexOutOfBoundsException("unknown layout: " + payload[0]);
    }
    return layout.scan(payload, length);
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
    int record = layout.recordAt(offset);
    int at = 0;
    while (at < length) {
      int from = offset + at - layout.start(record);
      int whole = layout.start(record + 1) - layout.start(record);
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
    ColumnShape shape = layout.shapes[layout.shapeOf[record]];
    int ordinal = layout.ordinalOf[record];
    int length = layout.lengths[shape.lengthsFrom + ordinal];
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

  private void emitJson(ColumnShape shape, int ordinal, byte[] target, int from) {
    int[] pieces = shape.pieces;
    int at = from;
    for (int i = 0; i < shape.placeholders; i++) {
      at = copyShort(pieces[i], pieces[i + 1] - 1 - pieces[i], target, at);
      at =
          payload[shape.widthsFrom + i] == References.REFERS
              ? copyReferring(shape, i, ordinal, target, at)
              : copyValue(shape, i, ordinal, target, at);
    }
    int last = pieces[shape.placeholders];
    System.arraycopy(payload, last, target, at, pieces[shape.placeholders + 1] - 1 - last);
  }

  private int copyValue(ColumnShape shape, int placeholder, int ordinal, byte[] target, int at) {
    int width = payload[shape.widthsFrom + placeholder];
    if (width > 0) {
      return copyDigits(shape.columns[placeholder] + ordinal, width, shape.records, target, at);
    }
    int line = shape.columns[placeholder] + ordinal;
    int start = layout.lineEnd(line - 1) + 1;
    return copyShort(start, layout.lineEnds[line] - start, target, at);
  }

  private int copyReferring(
      ColumnShape shape, int placeholder, int ordinal, byte[] target, int begin) {
    int line = shape.columns[placeholder] + ordinal;
    int at = begin;
    int end = layout.lineEnds[line];
    for (int from = layout.lineEnd(line - 1) + 1; from < end; from++) {
      byte b = payload[from];
      if (References.isCode(b)) {
        int part = shape.parts[placeholder][b - References.FIRST_CODE];
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
