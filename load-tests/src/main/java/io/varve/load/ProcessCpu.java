package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** CPU seconds that processes have used so far, all of their threads, from {@code /proc}. */
record ProcessCpu(List<Long> pids) {

  private static final double TICKS_PER_SECOND = 100;

  double seconds() throws IOException {
    double sum = 0;
    for (long pid : pids) {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      sum += (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }
    return sum;
  }

  /** The largest resident size that the processes had, summed. */
  double peakMemoryMb() throws IOException {
    double sum = 0;
    for (long pid : pids) {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
        if (line.startsWith("VmHWM:")) {
          sum += Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
        }
      }
    }
    return sum;
  }
}
