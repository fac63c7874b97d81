package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.WriteResult;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources of documents that no refresh has made visible. */
class UnrefreshedSourcesTest {

  private EngineFixture shard;

  @BeforeEach
  void open(@TempDir Path folder) {
    shard = new EngineFixture(folder);
  }

  @AfterEach
  void close() {
    shard.close();
  }

  private long mapBytes() {
    return shard.engine.stats().contents().versionMapBytes();
  }

  private String realtime(String id) {
    return EngineFixture.source(shard.engine, id, true);
  }

  @Test
  void areNotKeptInMemoryBeforeOneIsNeeded() {
    shard.index("1", "{\"text\":\"" + "x".repeat(5000) + "\"}");

    assertThat(mapBytes()).isLessThan(1000);
  }

  @Test
  void areReadByARealtimeGetThatChangesNoSearch() {
    shard.index("1", "{\"n\":1}");
    shard.index("1", "{\"n\":2}");
    shard.index("2", "{\"n\":3}");

    assertThat(realtime("1")).isEqualTo("{\"n\":2}");
    assertThat(realtime("2")).isEqualTo("{\"n\":3}");
    assertThat(EngineFixture.source(shard.engine, "1", false)).isNull();
    assertThat(shard.engine.visibleSeqNo()).isEqualTo(-1);
  }

  @Test
  void areKeptOnceOneWasNeeded() {
    shard.index("1", "{\"n\":1}");
    realtime("1");
    shard.index("2", "{\"text\":\"" + "x".repeat(5000) + "\"}");

    assertThat(mapBytes()).isGreaterThan(5000);
    assertThat(realtime("2")).contains("xxx");
  }

  @Test
  void areTheBasisOfUpdates() {
    shard.index("1", "{\"a\":1}");
    shard.update("1", "{\"doc\":{\"b\":2}}");
    shard.update("1", "{\"doc\":{\"c\":3}}");

    assertThat(realtime("1")).isEqualTo("{\"a\":1,\"b\":2,\"c\":3}");
    assertThat(shard.update("1", "{\"doc\":{\"c\":3}}"))
        .isInstanceOfSatisfying(
            WriteResult.Done.class, done -> assertThat(done.result()).isEqualTo("noop"));
  }

  @Test
  void ofADeletedDocumentAreNotFound() {
    shard.index("1", "{\"a\":1}");
    shard.delete("1");

    assertThat(realtime("1")).isNull();
    assertThat(shard.engine.get("1", true).found()).isFalse();
  }
}
