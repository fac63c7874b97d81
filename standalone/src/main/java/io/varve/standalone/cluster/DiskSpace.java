package io.varve.standalone.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Decides whether the disk of a data folder is full. A process whose disk is full may report
 * another cause when it ends, such as a page of a mapped file that can't be written.
 */
final class DiskSpace {

  /**
   * A disk with less free space counts as full: a broker or a node can't write another file of its
   * log.
   */
  static final long FULL_BELOW_BYTES = 1 << 20;

  private DiskSpace() {}

  /**
   * A sentence about the full disk of {@code folder}; empty if there is room or the free space is
   * unknown.
   */
  static String note(Path folder) {
    try {
      return note(folder, Files.getFileStore(folder).getUsableSpace());
    } catch (IOException e) {
      return "";
    }
  }

  static String note(Path folder, long usableBytes) {
    return usableBytes >= FULL_BELOW_BYTES
        ? ""
        : "No space left on device: %s has %d bytes".formatted(folder, usableBytes);
  }
}
