package io.varve.standalone;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Locks a data folder for one process. The operating system releases the lock when the process
 * ends, whatever the reason.
 */
public final class DataLock implements AutoCloseable {

  private final FileChannel channel;

  private DataLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks the folder, after creating it if it is missing.
   *
   * @throws StartRefusedException another process holds the lock
   */
  public static DataLock acquire(Path data) throws IOException {
    Files.createDirectories(data);
    FileChannel channel =
        FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new StartRefusedException("another process uses the data folder " + data);
    }
    return new DataLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
