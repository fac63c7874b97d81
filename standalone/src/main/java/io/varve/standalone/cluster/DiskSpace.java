package io.varve.standalone.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether the disk of a data folder is full. A process whose disk is full may end with
 * another cause, such as a page of a mapped file that cannot be written.
 */
final class DiskSpace {

  /** A disk with less is full: a broker or a node cannot write one more file of its log. */
  static final long FULL_BELOW_BYTES = 1 << 20;

  private DiskSpace() {}

  /** A sentence about the disk of {@code folder}; empty if there is room or nothing is known. */
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
