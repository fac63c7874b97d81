package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.file.Path;
import java.util.Objects;
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

  private long lookupRefreshes() {
    return shard.engine.stats().counters().upkeep().lookupRefreshes().total();
  }

  /** Parsing happens before the sequencer's lock, resolving under it. */
  @Test
  void areMadeReadableBeforeAnUpdateIsResolved() {
    shard.index("1", "{\"a\":1}");
    WriteItem update = EngineFixture.item(WriteItem.Kind.UPDATE, "1", "{\"doc\":{\"b\":2}}");

    Parsed parsed = shard.engine.parse(update);
    assertThat(lookupRefreshes()).isEqualTo(1);
    assertThat(shard.engine.resolve(update, parsed)).isInstanceOf(Resolution.NeedsMapping.class);
    assertThat(lookupRefreshes()).isEqualTo(1);
  }

  @Test
  void areKeptIfTheirWriteIsInFlightWhenAnUpdateIsParsed() {
    EngineFixture.Pending inFlight =
        shard.append(EngineFixture.item(WriteItem.Kind.INDEX, "1", "{\"a\":1}"));
    WriteItem update = EngineFixture.item(WriteItem.Kind.UPDATE, "1", "{\"doc\":{\"a\":2}}");

    Parsed parsed = shard.engine.parse(update);
    shard.engine.apply(0, Objects.requireNonNull(inFlight.operation()), inFlight.append());

    assertThat(shard.engine.resolve(update, parsed)).isInstanceOf(Resolution.Append.class);
    assertThat(lookupRefreshes()).isZero();
  }

  @Test
  void ofADeletedDocumentAreNotFound() {
    shard.index("1", "{\"a\":1}");
    shard.delete("1");

    assertThat(realtime("1")).isNull();
    assertThat(shard.engine.get("1", true).found()).isFalse();
  }
}
