package io.varve.standalone.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private long nanos;

  private ProgressBar bar(boolean terminal, long total) {
    return new ProgressBar(new PrintStream(out, true, UTF_8), terminal, total, () -> nanos);
  }

  private List<String> lines() {
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void aFileGetsALineForEachTenth() {
    ProgressBar bar = bar(false, 2_000);
    nanos += TimeUnit.SECONDS.toNanos(2);

    for (int done = 1; done <= 2_000; done++) {
      bar.show(done, done);
    }
    bar.close();

    assertThat(lines()).hasSize(10);
    assertThat(lines().getFirst())
        .isEqualTo("  [" + "#".repeat(3) + ".".repeat(33) + "]  10%  200 docs  100 docs/s");
    assertThat(lines().getLast())
        .isEqualTo("  [" + "#".repeat(36) + "] 100%  2,000 docs  1,000 docs/s");
  }

  @Test
  void aTerminalGetsOneLineThatIsDrawnAgain() {
    ProgressBar bar = bar(true, 4);
    nanos += TimeUnit.SECONDS.toNanos(1);

    bar.show(1, 1);
    bar.show(4, 4);
    bar.close();

    String drawn = out.toString(UTF_8);
    assertThat(drawn).startsWith("\r").endsWith(System.lineSeparator());
    assertThat(drawn.strip().split("\r")).hasSize(2);
    assertThat(drawn).contains(" 25%  1 docs  1 docs/s", "100%  4 docs  4 docs/s");
  }

  @Test
  void moreThanWasCountedIsNoMoreThanAll() {
    bar(false, 10).show(15, 15);

    assertThat(lines()).singleElement().asString().contains("100%  15 docs");
  }

  @Test
  void nothingToDoIsDone() {
    bar(true, 0).show(0, 0);

    assertThat(out.toString(UTF_8)).contains("100%  0 docs  0 docs/s");
  }

  @Test
  void withoutAKnownEndALineTellsEach100000Documents() {
    ProgressBar bar = bar(false, ProgressBar.UNKNOWN);
    nanos += TimeUnit.SECONDS.toNanos(1);

    for (int done = 0; done <= 250_000; done += 50_000) {
      bar.show(done, 7);
    }
    bar.close();

    assertThat(lines())
        .containsExactly("  100,000 docs  100,000 docs/s", "  200,000 docs  200,000 docs/s");
  }
}
