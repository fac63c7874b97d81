package io.varve.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes one LZ4 block from an array to an array, only as far as needed: {@link #decodeTo} stops
 * after the sequence that reaches the requested position, and the next call continues there.
 *
 * <p>A block is a list of sequences. Each has a token, literals, the distance of a match (two
 * bytes, low byte first) and the length of that match; the last one ends after its literals. A
 * match may begin in the dictionary, which precedes the block in the target.
 *
 * <p>Most literals and matches are short, so they are copied eight bytes at a time, even beyond
 * their end. INVARIANT: both arrays have {@link #SLACK} bytes after the end of the block.
 */
final class Lz4Sequences {

  /**
   * Bytes after the end of source and target that may be read and written; their content has no
   * meaning.
   */
  static final int SLACK = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int WORD = Long.BYTES;

  private static final int LONG_LENGTH = 15;
  private static final int SHORTEST_MATCH = 4;

  private byte[] in = {};
  private byte[] out = {};
  private int inAt;
  private int inEnd;
  private int outAt;
  private int outEnd;

  /** The block is not LZ4, or has another length. */
  static final class DamagedBlockException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedBlockException(String what) {
      super(what);
    }
  }

  /**
   * Begins a block.
   *
   * @param inLength the length of the block, which begins at the start of {@code in}
   * @param outFrom start of its content, which the dictionary precedes
   */
  void begin(byte[] in, int inLength, byte[] out, int outFrom, int outLength) {
    this.in = in;
    this.inAt = 0;
    this.inEnd = inLength;
    this.out = out;
    this.outAt = outFrom;
    this.outEnd = outFrom + outLength;
  }

  /**
   * Decodes until the target is filled up to this position; returns immediately if it already is.
   */
  void decodeTo(int wanted) throws DamagedBlockException {
    try {
      decode(wanted);
    } catch (IndexOutOfBoundsException e) {
      throw new DamagedBlockException("a sequence is truncated: " + e.getMessage());
    }
  }

  /** Keeps its position in local variables, because fields would be written for each sequence. */
  private void decode(int wanted) throws DamagedBlockException {
    byte[] in = this.in;
    byte[] out = this.out;
    int from = inAt;
    int to = outAt;
    while (to < wanted) {
      require(from < inEnd, "end", from, to);
      int token = in[from++];
      int literals = (token >>> 4) & LONG_LENGTH;
      if (literals == LONG_LENGTH) {
        int last = endOfLength(in, from);
        literals += lengthUpTo(in, from, last);
        from = last + 1;
      }
      require(literals <= inEnd - from && literals <= outEnd - to, "literals", literals, to);
      copy(in, from, out, to, literals);
      from += literals;
      to += literals;
      if (from >= inEnd) {
        continue;
      }
      int distance = (short) SHORT.get(in, from) & 0xFFFF;
      from += Short.BYTES;
      int length = token & LONG_LENGTH;
      if (length == LONG_LENGTH) {
        int last = endOfLength(in, from);
        length += lengthUpTo(in, from, last);
        from = last + 1;
      }
      length += SHORTEST_MATCH;
      require(distance > 0 && distance <= to, "distance", distance, to);
      require(length <= outEnd - to, "match", length, to);
      if (distance < WORD) {
        repeat(out, to, distance, length);
      } else {
        copy(out, to - distance, out, to, length);
      }
      to += length;
    }
    inAt = from;
    outAt = to;
  }

  /** A copy in words also repeats bytes that it has just written, if they are a word away. */
  private static void copy(byte[] from, int at, byte[] out, int to, int length) {
    LONG.set(out, to, (long) LONG.get(from, at));
    LONG.set(out, to + WORD, (long) LONG.get(from, at + WORD));
    for (int i = 2 * WORD; i < length; i += WORD) {
      LONG.set(out, to + i, (long) LONG.get(from, at + i));
    }
  }

  private static void repeat(byte[] out, int to, int distance, int length) {
    for (int i = to; i < to + length; i++) {
      out[i] = out[i - distance];
    }
  }

  /** A long length is a sum of bytes, the last of which is not 255. */
  private static int endOfLength(byte[] in, int from) {
    int at = from;
    while (in[at] == (byte) 0xFF) {
      at++;
    }
    return at;
  }

  private static int lengthUpTo(byte[] in, int from, int last) {
    return (last - from) * 0xFF + (in[last] & 0xFF);
  }

  private void require(boolean holds, String what, int value, int at) throws DamagedBlockException {
    if (!holds) {
      throw new DamagedBlockException(
          what + " of " + value + " at " + at + ", the block ends at " + outEnd);
    }
  }
}
