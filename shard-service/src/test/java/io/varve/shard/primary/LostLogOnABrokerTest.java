package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.host.NodeWorld;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.BrokerFolder;
import io.varve.log.LogException;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Primaries on a real broker whose data folder was damaged or restored while it was stopped. */
@Tag("system")
@Tag("broker")
class LostLogOnABrokerTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private EmbeddedBroker broker;
  private KafkaMessageLog log;
  private NodeWorld world;
  private final List<PrimaryCopy> open = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.ALWAYS);
    log =
        new KafkaMessageLog(
            new KafkaLogConfig(
                broker.bootstrapServers(), "test", 60_000, 60_000, 64L << 20, 1 << 20, "lz4"));
    world = new NodeWorld(folder.resolve("nodes"), log);
    log.createTopic(new TopicSpec(world.operations().topic(), 1, 1, Map.of()));
    log.createTopic(new TopicSpec(world.manifests().topic(), 1, 1, Map.of()));
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
  }

  @AfterEach
  void stop() {
    open.forEach(PrimaryCopy::close);
    world.close();
    log.close();
    broker.close();
  }

  private PrimaryCopy primary(String node, long term) {
    PrimaryCopy copy = new PrimaryCopy(world.copy(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    return copy;
  }

  private PrimaryCopy started(String node, long term) throws Exception {
    PrimaryCopy copy = primary(node, term);
    copy.start();
    return copy;
  }

  /** Writes each operation in a request, and thus a batch, of its own. */
  private static void write(PrimaryCopy copy, int from, int to) throws Exception {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    for (int i = from; i < to; i++) {
      assertThat(copy.write(copy.term(), List.of(WriteItem.index("b" + i, body)), LONG))
          .allSatisfy(result -> assertThat(result).isInstanceOf(WriteResult.Done.class));
    }
  }

  @FunctionalInterface
  private interface Damage {
    void to(BrokerFolder stopped) throws Exception;
  }

  private void whileTheBrokerIsStopped(Damage damage) throws Exception {
    BrokerConfig same = broker.config();
    damage.to(BrokerFolder.ofStopped(broker));
    broker = EmbeddedBroker.start(same);
  }

  @Test
  void aPrimaryRefusesALogThatWasCutAtItsEnd() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.close();
    whileTheBrokerIsStopped(stopped -> stopped.cutEnd(world.operations().topic(), 0, 6));

    assertThatThrownBy(primary("n1", 2)::start)
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("applied everything up to offset 10")
        .hasMessageContaining("ends at offset 6")
        .hasMessageContaining(world.operations().topic());

    assertThat(world.operations().endOffset()).isEqualTo(6);
  }

  /**
   * The copy of the broker's folder was taken in term 1. Because the cluster log was restored as
   * well, term 2 was assigned to two primaries, one before and one after the restore. Their records
   * have the same offsets, terms and seq_nos.
   */
  @Test
  void aPrimaryRefusesALogThatWasRestoredAndThenExtended() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 5);
    first.close();
    Path copy = folder.resolve("copy");
    whileTheBrokerIsStopped(stopped -> stopped.copyTo(copy));
    PrimaryCopy second = started("n1", 2);
    write(second, 5, 10);
    second.close();
    whileTheBrokerIsStopped(stopped -> stopped.restoreFrom(copy));
    PrimaryCopy other = started("n2", 2);
    write(other, 20, 40);
    long end = world.operations().endOffset();

    assertThatThrownBy(primary("n1", 3)::start)
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("seq_no 9")
        .hasMessageContaining("with timestamp");

    assertThat(world.operations().endOffset()).isEqualTo(end);
    assertThat(other.searchable().orElseThrow().get("b4", true).source()).isNotNull();
    assertThat(other.searchable().orElseThrow().get("b39", true).source()).isNotNull();
  }
}
