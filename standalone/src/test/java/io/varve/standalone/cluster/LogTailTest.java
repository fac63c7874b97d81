package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

  @TempDir private Path folder;

  @Test
  void hasTheCausesOfAFailureWithoutItsFrames() throws IOException {
    Path log = folder.resolve("a.log");
    Files.writeString(
        log,
        """
        started

        java.lang.IllegalStateException: no server
        \tat a.B.c(B.java:1)
        \tat a.B.d(B.java:2)
        Caused by: java.net.BindException: Address already in use
        \tat a.B.e(B.java:3)
        \t... 2 more
        """);

    assertThat(LogTail.of(log, 2))
        .containsExactly(
            "java.lang.IllegalStateException: no server",
            "Caused by: java.net.BindException: Address already in use");
    assertThat(LogTail.of(log, 10)).hasSize(3).startsWith("started");
  }

  @Test
  void readsOnlyTheEndOfALongLog() throws IOException {
    Path log = folder.resolve("long.log");
    Files.writeString(log, "line\n".repeat(100_000) + "last\n");

    assertThat(LogTail.of(log, 1)).containsExactly("last");
  }

  @Test
  void saysThatThereIsNoLog() {
    assertThat(LogTail.of(folder.resolve("none.log"), 5))
        .singleElement()
        .asString()
        .startsWith("cannot read the log: ");
  }
}
