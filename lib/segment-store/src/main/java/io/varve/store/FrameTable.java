package io.varve.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Locates parts of a compressed file. Compressible files are stored as zstd frames of {@link
 * #CONTENT_BYTES} of content each. If there are several frames, a seek table follows as a skippable
 * frame, so that parts can be read independently and any zstd tool can decompress the file.
 *
 * <pre>
 *   int   184d2a5e                                  little-endian, as all numbers
 *   int   bytes that follow
 *   int   length of the frame, int of its content   for each frame
 *   int   number of frames
 *   byte  0                                         no checksums in the table: each frame has one
 *   int   8f92eab1
 * </pre>
 *
 * Source: the seekable format of zstd (contrib/seekable_format), version 0.1.0.
 */
final class FrameTable {

  /**
   * To read a part of a file, the frames that contain it must be read; smaller frames compress
   * less.
   */
  static final int CONTENT_BYTES = 1 << 18;

  private static final int SKIPPABLE = 0x184D2A5E;
  private static final int SEEKABLE = 0x8F92EAB1;
  private static final int HEAD_BYTES = 8;
  private static final int ENTRY_BYTES = 8;
  private static final int FOOT_BYTES = 9;

  private final long contentBytes;

  /** The offset of each frame, followed by the end of the last one. */
  private final long[] begins;

  /**
   * The compressed range that contains a part of a file, and the bytes of content to skip before
   * that part.
   */
  record Part(long fromByte, long lengthBytes, long skippedBytes) {}

  /**
   * @param lengths of the frames of a file of {@code contentBytes}
   */
  FrameTable(int[] lengths, long contentBytes) {
    if (lengths.length != frames(contentBytes)) {
      throw new IllegalArgumentException(
          contentBytes + " bytes are not " + lengths.length + " frames");
    }
    this.contentBytes = contentBytes;
    begins = new long[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      begins[i + 1] = begins[i] + lengths[i];
    }
  }

  static int frames(long contentBytes) {
    return Math.toIntExact((contentBytes + CONTENT_BYTES - 1) / CONTENT_BYTES);
  }

  /** The length of the table for a file of this length; 0 if it needs none. */
  static int tableBytes(long contentBytes) {
    int frames = frames(contentBytes);
    return frames > 1 ? HEAD_BYTES + frames * ENTRY_BYTES + FOOT_BYTES : 0;
  }

  /** The length of the frames and their table. */
  long packedBytes() {
    return begins[begins.length - 1] + tableBytes(contentBytes);
  }

  int frameBytes(int frame) {
    return (int) (begins[frame + 1] - begins[frame]);
  }

  private int contentBytes(int frame) {
    return (int) Math.min(CONTENT_BYTES, contentBytes - (long) frame * CONTENT_BYTES);
  }

  Part part(long fromByte, long lengthBytes) {
    int first = (int) (fromByte / CONTENT_BYTES);
    int last = (int) ((fromByte + Math.max(1, lengthBytes) - 1) / CONTENT_BYTES);
    return new Part(
        begins[first], begins[last + 1] - begins[first], fromByte - (long) first * CONTENT_BYTES);
  }

  /** The encoded table; empty if none is needed. */
  byte[] bytes() {
    int length = tableBytes(contentBytes);
    if (length == 0) {
      return new byte[0];
    }
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    int frames = begins.length - 1;
    out.putInt(SKIPPABLE).putInt(length - HEAD_BYTES);
    for (int i = 0; i < frames; i++) {
      out.putInt(frameBytes(i)).putInt(contentBytes(i));
    }
    out.putInt(frames).put((byte) 0).putInt(SEEKABLE);
    return out.array();
  }

  /**
   * @param packedBytes the length of the frames and this table
   * @throws IOException if this is not the table of such a file
   */
  static FrameTable read(byte[] table, long contentBytes, long packedBytes) throws IOException {
    int frames = frames(contentBytes);
    if (table.length != tableBytes(contentBytes)) {
      throw new IOException("the frame table is truncated");
    }
    ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN).position(HEAD_BYTES);
    int[] lengths = new int[frames];
    for (int i = 0; i < frames; i++) {
      lengths[i] = in.getInt();
      in.getInt();
      if (lengths[i] <= 0) {
        throw new IOException("frame " + i + " has length " + lengths[i]);
      }
    }
    FrameTable read = new FrameTable(lengths, contentBytes);
    if (read.packedBytes() != packedBytes || !Arrays.equals(read.bytes(), table)) {
      throw new IOException("the frame table belongs to another file or is damaged");
    }
    return read;
  }
}
