package io.varve.load.budget;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends diagnostic commands to JVMs with the JDK's {@code jcmd}. */
public final class Jcmd {

  private static final long WITHIN_SECONDS = 60;

  private Jcmd() {}

  /** Returns the output of the command. */
  public static String run(long pid, String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    all.add(Long.toString(pid));
    all.addAll(List.of(command));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(WITHIN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", all) + " failed: " + output);
    }
    return output;
  }

  /** The bytes of live objects, which a full collection has just counted. */
  public static long liveBytes(long pid) throws IOException, InterruptedException {
    return totalBytes(run(pid, "GC.class_histogram"));
  }

  /** The total of a class histogram, whose last line is {@code Total INSTANCES BYTES}. */
  static long totalBytes(String histogram) throws IOException {
    return histogram
        .lines()
        .filter(line -> line.startsWith("Total"))
        .findFirst()
        .map(line -> Long.parseLong(line.split("\\s+")[2]))
        .orElseThrow(() -> new IOException("a class histogram without a total: " + histogram));
  }
}
