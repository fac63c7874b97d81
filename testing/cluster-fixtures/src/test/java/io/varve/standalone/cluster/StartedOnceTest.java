package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class StartedOnceTest {

  /** A cluster type that only this test uses. */
  private record Broken() implements AutoCloseable {
    @Override
    public void close() {}
  }

  private record Sound(AtomicInteger closed) implements AutoCloseable {
    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private ExtensionContext context;

  @RegisterExtension final BeforeEachCallback taking = now -> context = now;

  @Test
  void aStartThatFailedIsNotTriedAgain() {
    AtomicInteger starts = new AtomicInteger();
    for (int test = 0; test < 3; test++) {
      assertThatThrownBy(() ->
              StartedOnce.in(
                  context,
                  Broken.class,
                  () -> {
                    starts.incrementAndGet();
                    throw new IOException("no port");
                  }))
          .hasMessageContaining("did not start")
          .hasRootCauseMessage("no port");
    }
    assertThat(starts).hasValue(1);
  }

  @Test
  void aClusterIsSharedUntilItIsEnded() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    Sound first = StartedOnce.in(context, Sound.class, () -> new Sound(closed));

    assertThat(StartedOnce.in(context, Sound.class, () -> new Sound(new AtomicInteger())))
        .isSameAs(first);
    StartedOnce.end(context, Sound.class);

    assertThat(closed).hasValue(1);
    assertThat(StartedOnce.find(context, Sound.class)).isEmpty();
  }
}
