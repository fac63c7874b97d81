package io.varve.standalone;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a data folder to one process. The operating system gives the lock back when the process
 * ends, however it ends.
 */
public final class DataLock implements AutoCloseable {

  private final FileChannel channel;

  private DataLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws IllegalStateException another process has the folder
   */
  public static DataLock acquire(Path data) throws IOException {
    Files.createDirectories(data);
    FileChannel channel =
        FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new IllegalStateException("another process uses the data folder " + data);
    }
    return new DataLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
