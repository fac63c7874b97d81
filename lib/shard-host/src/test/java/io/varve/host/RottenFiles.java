package io.varve.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Corrupts segment files on disk. */
public final class RottenFiles {

  private static final int FOOTER_BYTES = 16;

  private RottenFiles() {}

  /** The last file within a compound file is the largest; its checksum precedes both footers. */
  public static void damageStoredFields(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".cfs")).toList()) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          long at = bytes.length() - FOOTER_BYTES - 1;
          bytes.seek(at);
          int before = bytes.read();
          bytes.seek(at);
          bytes.write(before ^ 0x55);
        }
      }
    }
  }
}
