package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

class RateLimitedDirectoryTest {

  private static final int PIECE = 16 << 10;
  private static final int PIECES = 24;

  @Test
  void theRateLimitAppliesToAllFilesTogether() throws Exception {
    long began = System.nanoTime();
    try (RateLimitedDirectory slow =
            new RateLimitedDirectory(new ByteBuffersDirectory(), 1 << 20, () -> false);
        IndexOutput one = slow.createOutput("one", IOContext.DEFAULT);
        IndexOutput two = slow.createOutput("two", IOContext.DEFAULT)) {
      for (int i = 0; i < PIECES; i++) {
        (i % 2 == 0 ? one : two).writeBytes(new byte[PIECE], PIECE);
      }
    }
    // 384 KB at 1 MB per second, minus what was written before the first pause.
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(150));
  }
}
