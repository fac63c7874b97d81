package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history depends on its seed alone: a seed that fails on one machine fails on each. Processes
 * with other garbage collectors and identity hash codes run the same histories, and their traces
 * are compared. Each JVM also has its own order of {@code Set.of} and {@code Map.of}.
 */
class SameHistoryInEachJvmTest {

  /** Only the first compiler, because most of a short process is compilation. */
  private static final String COMPILER = "-XX:TieredStopAtLevel=1";

  private static final List<String> USUAL = List.of(COMPILER, "-XX:+UseG1GC");

  /** In the first one, all identity hash codes are equal. */
  private static final List<List<String>> OTHERS =
      List.of(
          List.of(
              COMPILER, "-XX:+UseSerialGC", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"),
          List.of(COMPILER, "-XX:+UseParallelGC"));

  @TempDir Path folder;

  @Test
  void aSeedTellsTheSameHistoryInEachJvm() throws Exception {
    compare(1, 2);
  }

  @Test
  @Tag("nightly")
  void manySeedsTellTheSameHistoriesInEachJvm() throws Exception {
    compare(3, 40);
  }

  private void compare(long firstSeed, int histories) throws Exception {
    Path expected = traces("usual", USUAL, firstSeed, histories);
    List<String> differences = new ArrayList<>();
    for (List<String> flags : OTHERS) {
      Path found = traces("other", flags, firstSeed, histories);
      for (Path trace : in(expected)) {
        Path other = found.resolve(trace.getFileName());
        if (Files.mismatch(trace, other) >= 0) {
          differences.add(trace.getFileName() + " with " + flags + firstDifference(trace, other));
        }
      }
    }
    assertThat(differences).isEmpty();
    assertThat(in(expected)).hasSize(Mutation.Kind.values().length * histories);
  }

  private static List<Path> in(Path traces) throws IOException {
    try (Stream<Path> files = Files.list(traces)) {
      return files.sorted().toList();
    }
  }

  /** Runs the histories in a process with these flags, and returns the folder of their traces. */
  private Path traces(String name, List<String> flags, long firstSeed, int histories)
      throws Exception {
    Path traces = Files.createTempDirectory(folder, name);
    Path log = traces.resolveSibling(traces.getFileName() + ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            TracedHistories.class.getName(),
            traces.toString(),
            Long.toString(firstSeed),
            Integer.toString(histories)));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(() -> text(log)).isZero();
    return traces;
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String firstDifference(Path trace, Path other) throws IOException {
    List<String> expected = Files.readAllLines(trace);
    List<String> found = Files.readAllLines(other);
    int common = Math.min(expected.size(), found.size());
    int line =
        IntStream.range(0, common)
            .filter(i -> !expected.get(i).equals(found.get(i)))
            .findFirst()
            .orElse(common);
    return "%n  line %d was %s%n  and is now %s"
        .formatted(line + 1, at(expected, line), at(found, line));
  }

  private static String at(List<String> lines, int line) {
    return line < lines.size() ? lines.get(line) : "the end";
  }
}
