package io.varve.host.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.varve.events.ShardId;
import io.varve.store.DirectorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the breaker in front of a store in a folder, which fails while a file is in its place. */
class GuardedStoreTest {

  private static final ShardId SHARD = new ShardId("index", 0);
  private static final SegmentStore.Key KEY =
      new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, SHARD, 1, "file");

  @TempDir private Path folder;
  private Path root;
  private final CircuitBreaker breaker =
      CircuitBreaker.of("store", GuardedStore.config(Duration.ofMinutes(1)));
  private GuardedStore store;

  @BeforeEach
  void open() {
    root = folder.resolve("store");
    store = new GuardedStore(new DirectorySegmentStore(root, InstantSource.system()), breaker);
  }

  private void put(InputStream content) throws IOException {
    store.put(KEY, content, 3);
  }

  private void failing(int puts) throws IOException {
    Files.writeString(root, "no folder");
    for (int i = 0; i < puts; i++) {
      assertThatThrownBy(() -> put(new ByteArrayInputStream(new byte[3])))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aStoreThatFailsIsLeftAlone() throws IOException {
    failing(10);

    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThatThrownBy(() -> store.exists(KEY))
        .hasMessageContaining("the circuit breaker of the segment store is open");
  }

  @Test
  void afterTheTimeThreeRequestsFindOutWhetherItIsWell() throws IOException {
    failing(10);
    Files.delete(root);
    breaker.transitionToHalfOpenState();

    put(new ByteArrayInputStream(new byte[3]));
    assertThat(store.exists(KEY)).isTrue();
    store.delete(KEY);

    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @Test
  void aMissingObjectIsAnAnswer() {
    for (int i = 0; i < 30; i++) {
      assertThatThrownBy(() -> store.open(KEY, 0, 3)).isInstanceOf(SourceGoneException.class);
    }

    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @Test
  void aContentThatCannotBeReadIsNoFailureOfTheStore() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk fails");
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            return read();
          }
        };
    for (int i = 0; i < 30; i++) {
      assertThatThrownBy(() -> put(broken)).isInstanceOf(IOException.class);
    }

    assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
  }
}
