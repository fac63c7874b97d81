package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

class KilledEngineTest {

  private static final int LINES = 60;

  @TempDir Path folder;
  private final Set<String> published = new TreeSet<>();
  private long committed;

  @RepeatedTest(3)
  void publishedFilesAreOnTheDiskAndTheLastCommitIsWhole(RepetitionInfo repetition)
      throws Exception {
    Process writer = start();
    try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
      for (int line = 0; line < LINES + repetition.getCurrentRepetition(); line++) {
        read(Objects.requireNonNull(lines.readLine(), "the process ended"));
      }
    } finally {
      writer.destroyForcibly().waitFor();
    }

    assertThat(published).isNotEmpty();
    try (Directory directory = FSDirectory.open(folder)) {
      for (String name : published) {
        assertThat(SegmentFiles.readAndVerify(directory, name).name()).isEqualTo(name);
      }
    }
    ShardEngine next = EndlessEngine.open(folder);
    try {
      long from = next.committed().nextSeqNo();
      assertThat(from).isGreaterThanOrEqualTo(committed);
      assertThat(next.count(seqNo -> true, Matching.ALL)).isEqualTo(from);
      next.apply(from, EndlessEngine.operation(from), null);
      next.commit(EndlessEngine.checkpoint(from + 1));
    } finally {
      next.close();
    }
  }

  private void read(String line) {
    if (line.startsWith(EndlessEngine.COMMITTED)) {
      committed = Long.parseLong(line.substring(EndlessEngine.COMMITTED.length()));
    } else {
      published.addAll(List.of(line.split(" ")));
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            EndlessEngine.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
