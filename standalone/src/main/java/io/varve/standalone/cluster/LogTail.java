package io.varve.standalone.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the last lines of a process's log. Stack frames are skipped, so that the lines include the
 * causes of exceptions.
 */
final class LogTail {

  private static final int BYTES = 64 << 10;

  private LogTail() {}

  /**
   * Returns the last {@code count} lines, or, if the log can't be read, one line with the error.
   */
  static List<String> of(Path log, int count) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - BYTES));
      byte[] end = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(end);
      List<String> lines =
          new String(end, StandardCharsets.UTF_8).lines().filter(LogTail::isRelevant).toList();
      return lines.subList(Math.max(0, lines.size() - count), lines.size());
    } catch (IOException e) {
      return List.of("cannot read the log: " + e.getMessage());
    }
  }

  private static boolean isRelevant(String line) {
    return !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. ).*");
  }
}
