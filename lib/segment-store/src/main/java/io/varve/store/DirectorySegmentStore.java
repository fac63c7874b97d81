package io.varve.store;

import io.varve.events.ShardId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A segment store in a directory. An object is written to a temporary file, made durable, and
 * renamed atomically, so readers see complete objects only.
 */
public final class DirectorySegmentStore implements SegmentStore {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final String UNFINISHED = ".put-";

  /** Longer than any put takes. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private static final Pattern SHARD_NUMBER = Pattern.compile("\\d{1,9}");
  private static final System.Logger LOG = System.getLogger(DirectorySegmentStore.class.getName());

  private final Path root;
  private final InstantSource clock;

  /**
   * @param clock compared with the times of files
   */
  public DirectorySegmentStore(Path root, InstantSource clock) {
    this.root = root;
    this.clock = clock;
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    Path place = place(key);
    if (Files.exists(place)) {
      requireLength(key, Files.size(place), lengthBytes);
      return;
    }
    Files.createDirectories(place.getParent());
    Path temporary = place.resolveSibling(UNFINISHED + UUID.randomUUID());
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
    // The name is durable only after its folder is synced.
    try (FileChannel folder = FileChannel.open(to.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
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

  @Override
  public List<Present> list(Kind kind, ShardId shard) throws IOException {
    Path folder =
        root.resolve(kind.folder())
            .resolve(shard.indexUuid())
            .resolve(Integer.toString(shard.number()));
    List<Present> found = new ArrayList<>();
    for (Path term : entries(folder)) {
      for (Path object : entries(term)) {
        Optional<Key> key =
            Key.parse(kind, shard, term.getFileName().toString(), object.getFileName().toString());
        if (key.isPresent()) {
          addIfThere(key.get(), object, found);
        } else {
          deleteIfAbandoned(object);
        }
      }
    }
    return found;
  }

  private static void addIfThere(Key key, Path object, List<Present> found) throws IOException {
    try {
      found.add(new Present(key, Files.size(object)));
    } catch (NoSuchFileException e) {
      LOG.log(System.Logger.Level.DEBUG, "the object was deleted after it was listed", e);
    }
  }

  /** Deletes a temporary file of a process that was killed while it wrote. */
  private void deleteIfAbandoned(Path file) throws IOException {
    if (!file.getFileName().toString().startsWith(UNFINISHED)) {
      return;
    }
    try {
      Instant written = Files.getLastModifiedTime(file).toInstant();
      if (written.isBefore(clock.instant().minus(ABANDONED))) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      LOG.log(System.Logger.Level.DEBUG, "the object was completed in the meantime", e);
    }
  }

  @Override
  public List<ShardId> shards(Kind kind) throws IOException {
    List<ShardId> found = new ArrayList<>();
    for (Path index : entries(root.resolve(kind.folder()))) {
      for (Path shard : entries(index)) {
        String number = shard.getFileName().toString();
        if (SHARD_NUMBER.matcher(number).matches()) {
          found.add(new ShardId(index.getFileName().toString(), Integer.parseInt(number)));
        }
      }
    }
    return found;
  }

  private static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.toList();
    }
  }

  private Path place(Key key) {
    return root.resolve(key.path());
  }
}
