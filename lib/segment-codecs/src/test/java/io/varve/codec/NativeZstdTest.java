package io.varve.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeZstdTest {

  @TempDir Path folder;

  @Test
  void theLibraryIsLoadedAndAFailureIsReported() {
    assertThat(NativeZstd.missing()).isEmpty();
    assertThat(
            NativeZstd.missing(() -> {
              throw new UnsatisfiedLinkError("no libzstd here\nlong story");
            }))
        .hasValueSatisfying(reason -> assertThat(reason).endsWith("machine: no libzstd here"));
  }

  @Test
  void aProcessWithoutZstdUsesTheOtherCodecsAndReportsTheMissingLibrary() throws Exception {
    Path index = folder.resolve("index");
    try (Directory directory = FSDirectory.open(index)) {
      StoredDocuments.write(directory, StoredDocuments.zstd(3), SomeJson.records(10, 1));
    }
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-DZstdTempFolder=" + folder.resolve("missing"),
                "-cp",
                System.getProperty("java.class.path"),
                WithoutZstd.class.getName(),
                index.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(said, StandardCharsets.UTF_8))
        .contains("default codec reads 10")
        .contains("unreadable [Varve104/2]")
        .contains("writing: index.codec is zstd, and the native library of zstd can't be loaded")
        .contains("opening: segment _0 is compressed with zstd, and the native library of zstd");
  }
}
