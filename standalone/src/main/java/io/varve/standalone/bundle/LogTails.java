package io.varve.standalone.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The ends of the logs that {@code demo} and {@code cluster} keep in a data folder. The broker's
 * files have the same extension and contain documents: only the folders of logs are read.
 */
final class LogTails {

  private static final int TAIL_BYTES = 1 << 20;
  private static final String FOLLOWER = "follower";

  private final Path data;

  LogTails(Path data) {
    this.data = data;
  }

  /** The end of each log, by the path of the log in the data folder. */
  Map<String, String> read() throws IOException {
    Map<String, String> tails = new TreeMap<>();
    for (Path cluster : List.of(data, data.resolve(FOLLOWER))) {
      for (Path log : logs(cluster)) {
        tails.put(data.relativize(log).toString(), tail(log));
      }
    }
    return tails;
  }

  private static List<Path> logs(Path cluster) throws IOException {
    List<Path> logs = new ArrayList<>();
    Path ofOneProcess = cluster.resolve("standalone.log");
    if (Files.isRegularFile(ofOneProcess)) {
      logs.add(ofOneProcess);
    }
    Path folder = cluster.resolve("logs");
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".log")).forEach(logs::add);
      }
    }
    return logs;
  }

  /** The first line may be incomplete, and is omitted. */
  private static String tail(Path log) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) Math.min(TAIL_BYTES, file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = new String(bytes, UTF_8);
      return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
    }
  }
}
