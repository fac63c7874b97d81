package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;

/**
 * A file transfer in progress: appends bytes to the temporary file and checks them as they arrive,
 * so that nothing is read twice. The result of an earlier transfer is read once to restore its
 * checksum.
 */
final class FileTransfer implements AutoCloseable {

  /** The bytes are not those of the expected file. */
  static final class CorruptException extends IOException {
    private static final long serialVersionUID = 1L;
    private final long atByte;

    CorruptException(String message, long atByte) {
      super(message);
      this.atByte = atByte;
    }

    long atByte() {
      return atByte;
    }
  }

  /** The local disk failed. */
  static final class DiskException extends IOException {
    private static final long serialVersionUID = 1L;

    DiskException(IOException cause) {
      super(cause.toString(), cause);
    }
  }

  private static final int BUFFER_BYTES = 1 << 16;

  private final SegmentFile file;
  private final FileChannel channel;
  private final CRC32 crc = new CRC32();
  private final byte[] head;
  private final byte[] footer = new byte[CodecFile.FOOTER_BYTES];
  private long position;
  private boolean headChecked;

  private FileTransfer(SegmentFile file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
    this.head = new byte[(int) Math.min(CodecFile.HEADER_BYTES, file.lengthBytes())];
  }

  /** Opens the temporary file and resumes after its first {@code presentBytes}. */
  static FileTransfer open(SegmentFile file, Path temporary, long presentBytes) throws IOException {
    if (file.lengthBytes() < CodecFile.FOOTER_BYTES) {
      throw new CorruptException("a segment file has at least a footer", 0);
    }
    FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    FileTransfer transfer = new FileTransfer(file, channel);
    try {
      transfer.takeUp(Math.min(presentBytes, channel.size()));
      return transfer;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void takeUp(long presentBytes) throws IOException {
    channel.truncate(presentBytes);
    channel.position(0);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    while (position < presentBytes) {
      buffer.clear();
      int got = channel.read(buffer);
      if (got < 0) {
        throw new IOException("the temporary file of " + file.name() + " shrank");
      }
      pass(buffer.array(), got);
    }
  }

  long position() {
    return position;
  }

  long missingBytes() {
    return file.lengthBytes() - position;
  }

  private void take(byte[] bytes, int length) throws IOException {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw new DiskException(e);
    }
    pass(bytes, length);
  }

  /**
   * Appends up to {@code length} bytes from the stream; returns how many were received before the
   * stream ended or {@code goOn}, checked after each piece, returned false.
   */
  long takeFrom(InputStream in, long length, BooleanSupplier goOn) throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, length)];
    long taken = 0;
    boolean going = true;
    while (going && taken < length) {
      int got = in.read(buffer, 0, (int) Math.min(buffer.length, length - taken));
      if (got < 0) {
        break;
      }
      take(buffer, got);
      taken += got;
      going = goOn.getAsBoolean();
    }
    return taken;
  }

  private void pass(byte[] bytes, int length) throws IOException {
    long end = position + length;
    if (position < head.length) {
      int count = (int) Math.min(length, head.length - position);
      System.arraycopy(bytes, 0, head, (int) position, count);
    }
    long footerStart = file.lengthBytes() - footer.length;
    if (end > footerStart) {
      int from = (int) Math.max(0, footerStart - position);
      System.arraycopy(bytes, from, footer, (int) (position + from - footerStart), length - from);
    }
    long summed = Math.min(end, file.lengthBytes() - CodecFile.CHECKSUM_BYTES) - position;
    if (summed > 0) {
      crc.update(bytes, 0, (int) summed);
    }
    position = end;
    if (!headChecked && position >= head.length) {
      checkHead();
    }
  }

  private void checkHead() throws CorruptException {
    headChecked = true;
    String found;
    try {
      found = CodecFile.headerId(head, head.length);
    } catch (IOException e) {
      throw new CorruptException(String.valueOf(e.getMessage()), 0);
    }
    if (!found.equalsIgnoreCase(file.headerId())) {
      throw new CorruptException("header id is " + found + ", expected " + file.headerId(), 0);
    }
  }

  /** Compares the computed checksum, the one in the footer, and the expected one. */
  void verify() throws CorruptException {
    long at = file.lengthBytes() - CodecFile.FOOTER_BYTES;
    long stated;
    try {
      stated = CodecFile.statedChecksum(footer);
    } catch (IOException e) {
      throw new CorruptException(String.valueOf(e.getMessage()), at);
    }
    long expected = Long.parseUnsignedLong(file.checksum(), 16);
    if (crc.getValue() != expected || stated != expected) {
      throw new CorruptException(
          "checksum of the bytes is %x, the footer states %x, expected %x"
              .formatted(crc.getValue(), stated, expected),
          at);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
