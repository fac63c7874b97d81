package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.engine.SearchableCopy;
import io.varve.engine.SuspectFolder;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A primary's committed segments are damaged while it is open. No request reads the damaged part. A
 * merge in the background does, and the failure closes the index writer.
 */
class DamageMetByAMergeTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int SEGMENTS = 5;

  /** More segments than the merge policy allows without a merge. */
  private static final int ENOUGH_TO_MERGE = 40;

  private final Random random = new Random(7);
  @TempDir Path folder;
  private NodeWorld world;
  private NodeContext node;
  private CopyHost host;
  private Path index;
  private int written;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    node = world.node("n1");
    index = Folders.segments(Folders.of(node.settings().data(), NodeWorld.SHARD));
    WritePressure pressure = new WritePressure(1 << 20);
    host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, pressure, null),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM));
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"note\":{\"type\":\"text\",\"index\":false}}}");
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                node.identity().nodeId(),
                "n1",
                node.identity().incarnation(),
                Set.of(NodeInfo.PRIMARY),
                "http://127.0.0.1:1")));
    host.start();
    assign(1);
    for (int segment = 0; segment < SEGMENTS; segment++) {
      writeASegment();
    }
    host.copy(NodeWorld.SHARD).orElseThrow().flush();
    RottenFiles.damageStoredFields(index);
  }

  @AfterEach
  void close() {
    host.close();
    world.close();
  }

  private void assign(long term) {
    world.happened(
        new ClusterEvent.PrimaryAssigned(
            NodeWorld.SHARD, "copy-1", node.identity().nodeId(), term));
    awaitBesideMerges().until(() -> isStarted(term));
  }

  private boolean isStarted(long term) {
    return node.cluster()
        .current()
        .shard(NodeWorld.SHARD)
        .filter(shard -> shard.primaryTerm() == term && shard.primary().started())
        .isPresent();
  }

  /** Ignores exceptions of Lucene's merge thread, which this test expects. */
  private static ConditionFactory awaitBesideMerges() {
    return await().dontCatchUncaughtExceptions().atMost(LONG);
  }

  /** Writes one document into a segment of its own; false if no primary accepts it. */
  private boolean writeASegment() throws InterruptedException {
    String note = new BigInteger(40_000, random).toString(16);
    byte[] body = ("{\"note\":\"" + note + "\"}").getBytes(StandardCharsets.UTF_8);
    try {
      PrimaryCopy copy = (PrimaryCopy) host.copy(NodeWorld.SHARD).orElse(null);
      if (copy == null
          || !(copy.write(copy.term(), List.of(WriteItem.index("d" + written, body)), LONG)
                  .getFirst()
              instanceof WriteResult.Done)) {
        return false;
      }
      written++;
      copy.refresh(LONG);
      return true;
    } catch (ApiException | IllegalStateException e) {
      // The copy is closing, or its index writer was closed.
      return false;
    }
  }

  @Test
  void givesThePlaceUpAndNamesTheFileInsteadOfOpeningTheSameFilesAgain() throws Exception {
    for (int segment = 0; segment < ENOUGH_TO_MERGE && writeASegment(); segment++) {
      assertThat(world.leader.failed).as("while the writer is whole").isEmpty();
    }

    awaitBesideMerges()
        .untilAsserted(() -> {
          writeASegment();
          assertThat(world.leader.failed)
              .as("asked for a term %s times instead", world.leader.newTerms.size())
              .isNotEmpty();
        });

    assertThat(world.leader.newTerms).isEmpty();
    assertThat(world.leader.failed.getFirst().reason()).contains(".cfs");
    assertThat(index.resolve("suspect")).content().contains(".cfs");
  }

  @Test
  void findsOutThoughNobodyWritesAndIsRebuiltWhereItIsPlacedAnew() {
    ShardCopy copy = host.copy(NodeWorld.SHARD).orElseThrow();
    assertThatThrownBy(() -> copy.forceMerge(new ForceMergeRequest(1, false, false)))
        .satisfies(failure -> assertThat(SuspectFolder.damage(failure)).isPresent());

    awaitBesideMerges().until(() -> !world.leader.failed.isEmpty());
    assign(2);

    SearchableCopy rebuilt = host.copy(NodeWorld.SHARD).orElseThrow().searchable().orElseThrow();
    for (int document = 0; document < SEGMENTS; document++) {
      assertThat(rebuilt.get("d" + document, true).found()).isTrue();
    }
    assertThat(index.resolveSibling("index.damaged")).isDirectory();
  }
}
