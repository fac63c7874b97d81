package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/**
 * Reads a segment file once, from start to end, and verifies it. The final bytes are returned only
 * if the whole content matches the file's identity, so that corruption on this disk does not
 * spread.
 */
final class CheckedFile extends FilterInputStream {

  private final SegmentFile file;
  private final CRC32 sum = new CRC32();
  private long position;

  CheckedFile(InputStream in, SegmentFile file) {
    super(in);
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int got = super.read(buffer, offset, length);
    if (got > 0) {
      long summed = file.lengthBytes() - CodecFile.CHECKSUM_BYTES - position;
      sum.update(buffer, offset, Math.clamp(summed, 0, got));
      position += got;
      if (position >= file.lengthBytes()) {
        check();
      }
    }
    return got;
  }

  private void check() throws IOException {
    String found = CodecFile.checksumText(sum.getValue());
    if (position > file.lengthBytes() || !found.equals(file.checksum())) {
      throw new IOException(
          "the file on this disk is not what it was: %s has checksum %s, length %d or more"
              .formatted(file, found, position));
    }
  }
}
