package io.varve.standalone.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a process's log, without the frames of stack traces, so that causes fit into it. */
final class LogTail {

  private static final int BYTES = 64 << 10;

  private LogTail() {}

  /** The last {@code count} lines; one that says so if the log can't be read. */
  static List<String> of(Path log, int count) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - BYTES));
      byte[] end = new byte[(int) (file.length() - file.getFilePointer())];
      file.readFully(end);
      List<String> lines =
          new String(end, StandardCharsets.UTF_8).lines().filter(LogTail::tells).toList();
      return lines.subList(Math.max(0, lines.size() - count), lines.size());
    } catch (IOException e) {
      return List.of("can't be read: " + e.getMessage());
    }
  }

  private static boolean tells(String line) {
    return !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. ).*");
  }
}
