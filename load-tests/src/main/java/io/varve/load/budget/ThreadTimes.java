package io.varve.load.budget;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of a process and of its threads up to now, from {@code /proc}.
 *
 * @param processSeconds includes threads that have ended
 * @param threads by thread id
 */
public record ThreadTimes(double processSeconds, Map<String, Named> threads) {

  private static final double TICKS_PER_SECOND = 100;

  /** A thread's name and its CPU time. */
  public record Named(String name, double seconds) {}

  public ThreadTimes {
    threads = Map.copyOf(threads);
  }

  public static ThreadTimes read(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Map<String, Named> threads = new HashMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path task : tasks) {
        try {
          threads.put(
              String.valueOf(task.getFileName()), parse(Files.readString(task.resolve("stat"))));
        } catch (NoSuchFileException e) {
          // The thread has ended.
        }
      }
    }
    return new ThreadTimes(parse(Files.readString(process.resolve("stat"))).seconds(), threads);
  }

  /** Parses a line of {@code /proc/…/stat}; the name may contain spaces and parentheses. */
  static Named parse(String stat) {
    int nameEnd = stat.lastIndexOf(')');
    String[] fields = stat.substring(nameEnd + 2).split(" ");
    return new Named(
        stat.substring(stat.indexOf('(') + 1, nameEnd),
        (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND);
  }

  /**
   * CPU seconds since {@code before}: those of the JVM's own threads by stage, and the rest, which
   * includes threads that have ended, under {@link Stage#OTHER}.
   */
  public Map<Stage, Double> since(ThreadTimes before) {
    Map<Stage, Double> seconds = new EnumMap<>(Stage.class);
    double rest = processSeconds - before.processSeconds;
    for (Map.Entry<String, Named> thread : threads.entrySet()) {
      Stage stage = StageRules.stageOfThread(thread.getValue().name());
      if (stage != null) {
        Named earlier = before.threads.get(thread.getKey());
        double used = thread.getValue().seconds() - (earlier == null ? 0 : earlier.seconds());
        seconds.merge(stage, used, Double::sum);
        rest -= used;
      }
    }
    seconds.put(Stage.OTHER, rest);
    return seconds;
  }
}
