package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Header and footer common to all files of a segment.
 *
 * <pre>
 *   int     3fd76c17                header
 *   varint  length, codec name
 *   int     version
 *   byte[]  16 bytes of header id
 *   ...
 *   int     c02893e8                footer, 16 bytes
 *   int     0
 *   long    CRC-32 of all bytes before this long
 * </pre>
 */
public final class CodecFile {

  public static final int FOOTER_BYTES = 16;

  static final int CHECKSUM_BYTES = 8;
  static final int ID_BYTES = 16;

  /** Codec names are shorter than 128 bytes, so the id ends within these. */
  static final int HEADER_BYTES = 4 + 1 + 127 + 4 + ID_BYTES;

  private static final int HEADER_MAGIC = 0x3fd76c17;
  private static final int FOOTER_MAGIC = ~HEADER_MAGIC;

  private CodecFile() {}

  /** Formats a checksum as in {@link SegmentFile}. */
  public static String checksumText(long checksum) {
    return Long.toHexString(checksum);
  }

  /**
   * The header id at the start of {@code head}.
   *
   * @throws IOException if there is no header or it is truncated
   */
  static String headerId(byte[] head, int length) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(head, 0, length);
    if (in.remaining() < 5 || in.getInt() != HEADER_MAGIC) {
      throw new IOException("not a segment file: it has no codec header");
    }
    int nameBytes = in.get();
    if (nameBytes < 0 || in.remaining() < nameBytes + 4 + ID_BYTES) {
      throw new IOException("not a segment file: its codec header is truncated");
    }
    in.position(in.position() + nameBytes + 4);
    byte[] id = new byte[ID_BYTES];
    in.get(id);
    return HexFormat.of().formatHex(id);
  }

  /** The checksum recorded in a footer. */
  static long statedChecksum(byte[] footer) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(footer);
    if (in.getInt() != FOOTER_MAGIC || in.getInt() != 0) {
      throw new IOException("not a segment file: it has no codec footer");
    }
    return in.getLong();
  }

  /** Reads a file's identity from its header and footer only. */
  public static SegmentFile identify(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      if (length < FOOTER_BYTES) {
        throw new EOFException(path.getFileName() + " has only " + length + " bytes");
      }
      byte[] head = new byte[(int) Math.min(length, HEADER_BYTES)];
      file.readFully(head);
      byte[] footer = new byte[FOOTER_BYTES];
      file.seek(length - FOOTER_BYTES);
      file.readFully(footer);
      return new SegmentFile(
          path.getFileName().toString(),
          length,
          checksumText(statedChecksum(footer)),
          headerId(head, head.length));
    }
  }
}
