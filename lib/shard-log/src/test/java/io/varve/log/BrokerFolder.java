package io.varve.log;

import io.varve.kafka.EmbeddedBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Damages the data folder of a stopped embedded broker: truncates a partition's log, or restores
 * the folder from an earlier copy.
 */
public final class BrokerFolder {

  /** The layout of a record batch: base offset, length of the rest, ..., last offset delta. */
  private static final int LENGTH_AT = 8;

  private static final int REST_AT = 12;
  private static final int LAST_OFFSET_DELTA_AT = 23;
  private static final int HEADER_BYTES = 61;

  private static final Duration STOPS_WITHIN = Duration.ofMinutes(5);

  private final Path data;

  private BrokerFolder(Path data) {
    this.data = data;
  }

  /** Stops the broker; returns when it has released its folder and its ports. */
  public static BrokerFolder ofStopped(EmbeddedBroker broker) {
    broker.close();
    if (!broker.awaitEnd(STOPS_WITHIN)) {
      throw new IllegalStateException("the broker did not stop within " + STOPS_WITHIN);
    }
    return new BrokerFolder(broker.config().data());
  }

  /**
   * Removes the batch of the record at {@code endOffset} and all later batches. The log must have
   * one segment.
   */
  public void cutEnd(String topic, int partition, long endOffset) throws IOException {
    Path folder = data.resolve("kafka").resolve(topic + "-" + partition);
    try (FileChannel log =
        FileChannel.open(
            folder.resolve("00000000000000000000.log"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      log.truncate(sizeBefore(log, endOffset));
    }
    // The broker rebuilds these from the log.
    deleteAll(folder, List.of(".index", ".timeindex", ".txnindex", ".snapshot"));
    Files.deleteIfExists(data.resolve("kafka/.kafka_cleanshutdown"));
  }

  /** Returns where the batch of the record at {@code endOffset} begins in a segment. */
  static long sizeBefore(FileChannel log, long endOffset) throws IOException {
    long at = 0;
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    while (at + HEADER_BYTES <= log.size()) {
      header.clear();
      log.read(header, at);
      long lastOffset = header.getLong(0) + header.getInt(LAST_OFFSET_DELTA_AT);
      if (lastOffset >= endOffset) {
        return at;
      }
      at += REST_AT + (long) header.getInt(LENGTH_AT);
    }
    return at;
  }

  private static void deleteAll(Path folder, List<String> endings) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        if (endings.stream().anyMatch(file.toString()::endsWith)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Copies the folder to {@code copy}. */
  public void copyTo(Path copy) throws IOException {
    copyTree(data, copy);
  }

  /** Replaces the folder by {@code copy}. */
  public void restoreFrom(Path copy) throws IOException {
    deleteTree(data);
    copyTree(copy, data);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, to.resolve(from.relativize(file)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
