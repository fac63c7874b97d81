package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.host.NodeWorld;
import io.varve.store.DeletedIndices;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletes the objects of a deleted index from the segment store. The test starts each run. */
class StoreJanitorTest {

  private static final long GRACE_MILLIS = 1_000;
  private static final int BYTES = 7;

  @TempDir private Path folder;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final List<StoreJanitor> janitors = new ArrayList<>();
  private final List<Runnable> turns = new ArrayList<>();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable task, long first, long pause, TimeUnit unit) {
          turns.add(task);
          return super.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.DAYS);
        }
      };
  private NodeWorld world;
  private long nowMillis = 5_000;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.clock = () -> Instant.ofEpochMilli(nowMillis);
    world.createIndex(Map.of("index.remote_store.enabled", "true"), "{}");
    put(NodeWorld.SHARD, "object");
  }

  @AfterEach
  void close() {
    janitors.forEach(StoreJanitor::close);
    timer.shutdownNow();
    world.close();
  }

  private void put(ShardId shard, String name) throws IOException {
    store.put(
        new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, 1, name),
        new ByteArrayInputStream(new byte[BYTES]),
        BYTES);
  }

  private void delete() {
    world.happened(new ClusterEvent.IndexDeleted(NodeWorld.INDEX_UUID));
  }

  private StoreJanitor janitor(String nodeId) {
    NodeContext node = world.node(nodeId);
    StoreJanitor janitor =
        new StoreJanitor(
            new NodeContext(
                node.identity(),
                node.settings(),
                node.log(),
                node.topics(),
                node.cluster(),
                node.leader(),
                node.http(),
                node.clock(),
                timer,
                new InlineExecutor(),
                node.applying()),
            new StoreAccess(
                "store",
                store,
                new StoreAccess.Settings(
                    UploadPlan.Limits.DEFAULT, 0, new StoreAccess.Retention(1, GRACE_MILLIS, 1)),
                TransferBudget.UNLIMITED,
                new Semaphore(1)));
    janitors.add(janitor);
    return janitor;
  }

  /** Runs a task on the calling thread. */
  private static final class InlineExecutor extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private void joins(String nodeId, String storeName) {
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                nodeId,
                nodeId,
                "i",
                Set.of(NodeInfo.PRIMARY),
                "http://127.0.0.1:1",
                Map.of(NodeInfo.STORE_ATTRIBUTE, storeName))));
  }

  /** Runs the janitor twice: the first run finds the objects, and they are due in the second. */
  private void runTwice(int janitor) {
    turns.get(janitor).run();
    nowMillis += GRACE_MILLIS;
    turns.get(janitor).run();
  }

  @Test
  void objectsOfADeletedIndexAreDeletedAfterTheGracePeriod() throws Exception {
    StoreJanitor janitor = janitor("n1");
    delete();

    assertThat(janitor.look())
        .containsExactly(
            new DeletedIndices.Leftover(NodeWorld.INDEX_UUID, 1, BYTES, false, GRACE_MILLIS));
    nowMillis += GRACE_MILLIS - 1;
    assertThat(janitor.sweep()).isEmpty();
    assertThat(janitor.look().getFirst().dueInMillis()).isEqualTo(1);

    nowMillis++;
    assertThat(janitor.sweep()).singleElement().matches(DeletedIndices.Leftover::isDue);

    assertThat(store.size()).isZero();
    assertThat(janitor.objects()).isEqualTo(1);
    assertThat(janitor.bytes()).isEqualTo(BYTES);
    assertThat(janitor.look()).isEmpty();
  }

  @Test
  void objectsOfAnExistingIndexAreKept() throws Exception {
    StoreJanitor janitor = janitor("n1");
    put(new ShardId("of-another-cluster", 0), "object");
    janitor.sweep();
    nowMillis += 10 * GRACE_MILLIS;

    assertThat(janitor.sweep()).isEmpty();
    assertThat(janitor.look()).isEmpty();
    assertThat(store.size()).isEqualTo(2);
  }

  @Test
  void ofTheNodesThatShareAStoreTheOneWithTheSmallestIdDeletes() {
    joins("n0", "another store");
    joins("n1", "store");
    joins("n2", "store");
    StoreJanitor first = janitor("n1");
    StoreJanitor second = janitor("n2");
    StoreJanitor stranger = janitor("n0");
    delete();

    runTwice(1);
    runTwice(2);
    assertThat(store.size()).isEqualTo(1);

    runTwice(0);
    assertThat(store.size()).isZero();
    assertThat(first.objects()).isEqualTo(1);
    assertThat(second.objects() + stranger.objects()).isZero();
  }

  @Test
  void aFailedRunIsRepeatedInTheNextOne() {
    joins("n1", "store");
    StoreJanitor janitor = janitor("n1");
    delete();
    turns.getFirst().run();
    nowMillis += GRACE_MILLIS;
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) throws IOException {
            throw new IOException("on purpose");
          }
        });
    turns.getFirst().run();
    assertThat(janitor.objects()).isZero();

    store.faults(InMemorySegmentStore.Faults.NONE);
    turns.getFirst().run();

    assertThat(store.size()).isZero();
    assertThat(janitor.objects()).isEqualTo(1);
  }
}
