package io.varve.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

class KilledWriterTest {

  @TempDir Path folder;

  @RepeatedTest(3)
  void onlyDictionariesOfUnreferencedSegmentsAreDeleted() throws Exception {
    Process writer = start();
    try {
      await(writer, "_1.zsd");
    } finally {
      writer.destroyForcibly().waitFor();
    }

    try (Directory directory = FSDirectory.open(folder)) {
      Set<String> named = new TreeSet<>(SegmentInfos.readLatestCommit(directory).files(true));
      assertThat(named).contains("_0.zsd").doesNotContain("_1.zsd");
      try (IndexWriter next = StoredDocuments.writer(directory, StoredDocuments.zstd(3), false)) {
        assertThat(dictionaries()).containsExactly("_0.zsd");
        assertThat(next.getDocStats().maxDoc).isEqualTo(EndlessWriter.COMMITTED);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        reader.leaves().getFirst().reader().checkIntegrity();
        assertThat(
                StoredDocuments.same(
                    StoredDocuments.read(reader), SomeJson.records(EndlessWriter.COMMITTED, 1)))
            .isTrue();
      }
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            EndlessWriter.class.getName(),
            folder.toString())
        .inheritIO()
        .start();
  }

  /** Waits until the file exists, complete or not. */
  private void await(Process writer, String file) throws InterruptedException {
    while (!Files.exists(folder.resolve(file))) {
      assertThat(writer.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private Set<String> dictionaries() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".zsd"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
