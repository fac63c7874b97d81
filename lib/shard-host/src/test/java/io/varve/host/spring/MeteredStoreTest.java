package io.varve.host.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.events.ShardId;
import io.varve.process.Ticker;
import io.varve.store.DirectorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the metrics of requests to a store in a folder. */
class MeteredStoreTest {

  private static final ShardId SHARD = new ShardId("index", 0);
  private static final SegmentStore.Key KEY =
      new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, SHARD, 1, "file");

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private MeteredStore store() {
    return new MeteredStore(
        new DirectorySegmentStore(folder, InstantSource.system()), registry, Ticker.SYSTEM);
  }

  private long count(String operation, String outcome) {
    return registry
        .get("varve.store.requests")
        .tags("operation", operation, "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void requestsAreTimedByOperationAndOutcome() throws IOException {
    MeteredStore store = store();
    store.put(KEY, new ByteArrayInputStream(new byte[3]), 3);
    assertThat(store.exists(KEY)).isTrue();
    try (InputStream content = store.open(KEY, 0, 3)) {
      assertThat(content.readAllBytes()).hasSize(3);
    }
    assertThat(store.list(SegmentStore.Kind.SEGMENTS, SHARD)).hasSize(1);
    store.delete(KEY);

    assertThatThrownBy(() -> store.open(KEY, 0, 3)).isInstanceOf(SourceGoneException.class);
    assertThatThrownBy(() -> store.put(KEY, new ByteArrayInputStream(new byte[3]), 5))
        .isInstanceOf(IOException.class);

    assertThat(count("put", "ok")).isOne();
    assertThat(count("exists", "ok")).isOne();
    assertThat(count("open", "ok")).isOne();
    assertThat(count("open", "gone")).isOne();
    assertThat(count("list", "ok")).isOne();
    assertThat(count("delete", "ok")).isOne();
    assertThat(count("put", "error")).isOne();
  }
}
