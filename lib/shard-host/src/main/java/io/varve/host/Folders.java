package io.varve.host;

import io.varve.events.ShardId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders in which copies keep their files: {@code <data>/shards/<index uuid>/<shard number>}.
 */
final class Folders {

  private static final Logger LOG = LoggerFactory.getLogger(Folders.class);

  private Folders() {}

  static Path of(Path data, ShardId shard) {
    return data.resolve("shards").resolve(shard.indexUuid()).resolve("" + shard.number());
  }

  /** The folder of the segments within a copy's folder. */
  static Path segments(Path folder) {
    return folder.resolve("index");
  }

  static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The shards that have a folder. */
  static List<ShardId> present(Path data) {
    List<ShardId> shards = new ArrayList<>();
    for (Path index : children(data.resolve("shards"))) {
      for (Path number : children(index)) {
        if (number.getFileName().toString().matches("\\d{1,9}")) {
          shards.add(
              new ShardId(
                  index.getFileName().toString(),
                  Integer.parseInt(number.getFileName().toString())));
        }
      }
    }
    return shards;
  }

  private static List<Path> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a shard's folder, and the folder of its index if that becomes empty. */
  static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
      if (children(folder.getParent()).isEmpty()) {
        Files.deleteIfExists(folder.getParent());
      }
      LOG.info("deleted {}", folder);
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone already", folder);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted", folder, e);
    }
  }
}
