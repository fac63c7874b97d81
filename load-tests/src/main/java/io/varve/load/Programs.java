package io.varve.load;

import java.io.IOException;

/** Runs programs of the operating system. */
final class Programs {

  private Programs() {}

  /** Runs a program without showing its output; fails unless it ends with 0. */
  static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
    }
  }

  /** Stops a process until {@link #resume}. It keeps its connections and its memory. */
  static void stop(long pid) throws IOException, InterruptedException {
    run("kill", "-STOP", Long.toString(pid));
  }

  static void resume(long pid) throws IOException, InterruptedException {
    run("kill", "-CONT", Long.toString(pid));
  }
}
