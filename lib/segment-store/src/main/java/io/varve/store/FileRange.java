package io.varve.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A range of a file as a stream. */
final class FileRange {

  private FileRange() {}

  static InputStream open(Path path, long fromByte, long length) throws IOException {
    try {
      SeekableByteChannel channel = Files.newByteChannel(path);
      channel.position(fromByte);
      return new LimitedStream(Channels.newInputStream(channel), length);
    } catch (NoSuchFileException e) {
      throw new SourceGoneException("no file " + path.getFileName());
    }
  }
}
