package io.varve.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A part of a file as a stream. */
final class FileRange extends InputStream {

  private final InputStream in;
  private long left;

  private FileRange(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  static InputStream open(Path path, long fromByte, long length) throws IOException {
    try {
      SeekableByteChannel channel = Files.newByteChannel(path);
      channel.position(fromByte);
      return new FileRange(Channels.newInputStream(channel), length);
    } catch (NoSuchFileException e) {
      throw new SourceGoneException("no file " + path.getFileName());
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int got = in.read(buffer, offset, (int) Math.min(left, length));
    if (got > 0) {
      left -= got;
    }
    return got;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
