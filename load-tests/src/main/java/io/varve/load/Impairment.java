package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Impairs one process until this object is closed. The process is not changed, or stopped (SIGSTOP)
 * for a part of every half second, or bound to a CPU that other programs keep busy, or slowed by
 * programs that write to the disk and sync it. Closing always resumes the process and ends the
 * programs.
 */
final class Impairment implements AutoCloseable {

  private static final int PERIOD_MILLIS = 500;
  private static final int BURNERS = 3;
  private static final int WRITERS = 2;

  private final Kind kind;
  private final long pid;
  private final List<Process> programs = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /** The kinds of impairment. */
  enum Kind {
    HEALTHY(0),
    /** The process runs during a quarter of the time. */
    STOP4(PERIOD_MILLIS * 3 / 4),
    /** The process runs during 1/13.5 of the time. */
    STOP13(PERIOD_MILLIS * 25 / 27),
    CPU(0),
    /** Affects only reads from the disk, not searches of an index that is in the page cache. */
    DISK(0);

    private final int stoppedMillis;

    Kind(int stoppedMillis) {
      this.stoppedMillis = stoppedMillis;
    }
  }

  Impairment(Kind kind, long pid) throws IOException, InterruptedException {
    this.kind = kind;
    this.pid = pid;
    this.thread = Thread.ofPlatform().daemon().name("illness").unstarted(this::stopAndGo);
    if (kind == Kind.CPU) {
      Programs.run("taskset", "-acp", "0", Long.toString(pid));
      for (int i = 0; i < BURNERS; i++) {
        startProgram("taskset", "-c", "0", "sh", "-c", "while :; do :; done");
      }
    } else if (kind == Kind.DISK) {
      for (int i = 0; i < WRITERS; i++) {
        Path written = Files.createTempFile("varve-bench-disk", "");
        files.add(written);
        startProgram(
            "sh",
            "-c",
            "while dd if=/dev/zero of=" + written + " bs=1M count=64 conv=fsync; do :; done");
      }
    } else if (kind.stoppedMillis > 0) {
      thread.start();
    }
  }

  private void startProgram(String... command) throws IOException {
    programs.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  private void stopAndGo() {
    try {
      while (!closed) {
        Programs.stop(pid);
        TimeUnit.MILLISECONDS.sleep(kind.stoppedMillis);
        Programs.resume(pid);
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS - kind.stoppedMillis);
      }
    } catch (IOException e) {
      System.err.println("bench: the process is no longer impaired: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    try {
      for (Process program : programs) {
        program.descendants().forEach(ProcessHandle::destroyForcibly);
        program.destroyForcibly();
        program.waitFor();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      thread.join();
    } finally {
      if (kind == Kind.CPU) {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        Programs.run("taskset", "-acp", "0-" + last, Long.toString(pid));
      }
      Programs.resume(pid);
    }
  }
}
