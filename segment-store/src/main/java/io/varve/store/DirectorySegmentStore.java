package io.varve.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A segment store in a directory. An object is written beside its place, made durable, and moved
 * there in one step: whoever sees it sees all of it.
 */
public final class DirectorySegmentStore implements SegmentStore {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path root;

  public DirectorySegmentStore(Path root) {
    this.root = root;
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    Path place = place(key);
    if (Files.exists(place)) {
      requireLength(key, Files.size(place), lengthBytes);
      return;
    }
    Files.createDirectories(place.getParent());
    Path temporary = place.resolveSibling(".put-" + UUID.randomUUID());
    try {
      requireLength(key, write(temporary, content), lengthBytes);
      moveInPlace(temporary, place);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static long write(Path file, InputStream content) throws IOException {
    long written = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int got = content.read(buffer); got >= 0; got = content.read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, got);
        while (bytes.hasRemaining()) {
          written += channel.write(bytes);
        }
      }
      channel.force(true);
    }
    return written;
  }

  private static void moveInPlace(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("the store's file system can't move files in one step", e);
    }
  }

  private static void requireLength(Key key, long found, long expected) throws IOException {
    if (found != expected) {
      throw new IOException(
          "object " + key.path() + " has " + found + " bytes, expected " + expected);
    }
  }

  @Override
  public boolean exists(Key key) {
    return Files.exists(place(key));
  }

  @Override
  public InputStream open(Key key, long fromByte, long length) throws IOException {
    return FileRange.open(place(key), fromByte, length);
  }

  @Override
  public void delete(Key key) throws IOException {
    Files.deleteIfExists(place(key));
  }

  private Path place(Key key) {
    return root.resolve(key.path());
  }
}
