package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.events.ShardId;
import io.varve.host.AppendFaults.Fate;
import io.varve.host.CopyContext;
import io.varve.host.IdleMemory;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The refreshes of a primary that nobody searches. The node's clock is the test's: it decides which
 * refresh is due, while the periodic work of the copy runs in real time.
 */
class IdleRefreshesTest extends PrimaryCopyWorld {

  private static final long COMMIT_MILLIS = 30_000;

  private final AtomicLong nowMillis = new AtomicLong(1_000_000_000L);

  private PrimaryCopy startedCopy(Map<String, String> settings) throws Exception {
    world.clock = () -> Instant.ofEpochMilli(nowMillis.get());
    Map<String, String> all = new HashMap<>(Map.of("index.search.idle.after", "0"));
    all.putAll(settings);
    world.createIndex(all, MAPPING);
    CopyContext of = world.copy("n1");
    assertThat(of.node().settings().commitMillis()).isEqualTo(COMMIT_MILLIS);
    PrimaryCopy copy = new PrimaryCopy(of, 1, new WritePressure(1 << 20), null);
    open.add(copy);
    copy.start();
    return copy;
  }

  /** Awaits two runs of the periodic work, each of which reports the progress of the copy. */
  private void awaitWork() {
    int before = world.progressed.get();
    await().atMost(LONG).until(() -> world.progressed.get() >= before + 2);
  }

  private void pass(long millis) {
    nowMillis.addAndGet(millis);
  }

  @Test
  void aCopyThatNobodySearchesIsRefreshedAsOftenAsItIsCommitted() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    pass(COMMIT_MILLIS - 1);
    awaitWork();
    assertThat(copy.visible().current()).isEqualTo(-1);

    pass(1);

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
  }

  @Test
  void aSearchShowsAllThatWasWritten() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    pass(5_000);

    copy.searchBegins();

    assertThat(copy.visible().current()).isEqualTo(2);
  }

  @Test
  void theSearchesThatRefreshAnIdleCopyAreCounted() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of());
    copy.searchBegins();
    assertThat(idleReactivations(copy)).isZero();

    copy.write(1, books(3), LONG);
    copy.searchBegins();
    copy.searchBegins();
    assertThat(idleReactivations(copy)).isOne();

    copy.write(1, books(1), LONG);
    copy.searchBegins();
    assertThat(idleReactivations(copy)).isEqualTo(2);
  }

  @Test
  void aSearchOfACopyThatIsNotIdleIsNotCounted() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of("index.search.idle.after", "30s"));
    copy.write(1, books(3), LONG);

    copy.searchBegins();

    assertThat(idleReactivations(copy)).isZero();
  }

  private static long idleReactivations(PrimaryCopy copy) {
    return copy.stats().activity().search().idleReactivations();
  }

  @Test
  void aCopyThatIsSearchedIsRefreshedAtItsInterval() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of("index.search.idle.after", "30s"));
    copy.write(1, books(3), LONG);
    pass(1_000);
    await().atMost(LONG).until(() -> copy.visible().current() == 2);

    pass(29_000);
    copy.searchBegins();
    copy.write(1, books(1), LONG);
    pass(1_000);

    await().atMost(LONG).until(() -> copy.visible().current() == 3);
  }

  @Test
  void aWaitForAnOperationRefreshesAnIdleCopyAtItsInterval() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    CompletableFuture<Boolean> shown = copy.visible().reached(2);

    pass(1_000);

    await().atMost(LONG).until(shown::isDone);
    assertThat(shown.join()).isTrue();
  }

  @Test
  void anIntervalThatTheUserHasChosenHolds() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of("index.refresh_interval", "1s"));
    copy.write(1, books(3), LONG);

    pass(1_000);

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
  }

  @Test
  void anIdleCopyThatHoldsMoreThanTheNodeAllowsIsRefreshedAtItsInterval() throws Exception {
    world.idle = new IdleMemory<>(1);
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);

    pass(1_000);

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
  }

  @Test
  void aSearchThatCanNotBeShownTheNewestReadsWhatIsVisible() throws Exception {
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    world.appends.ofManifests = Fate.LOST;

    copy.searchBegins();

    assertThat(copy.visible().current()).isEqualTo(-1);
  }

  @Test
  void aCopyThatShowsEverythingHoldsNoMemoryOfTheNode() throws Exception {
    world.idle = new IdleMemory<>(1_000_000);
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    pass(1_000);
    awaitWork();
    assertThat(world.idle.mayHold(new ShardId("other", 0), 1_000_000)).isFalse();

    copy.searchBegins();
    awaitWork();

    assertThat(world.idle.mayHold(new ShardId("other", 0), 1_000_000)).isTrue();
  }

  @Test
  void aClosedCopyHoldsNoMemoryOfTheNode() throws Exception {
    world.idle = new IdleMemory<>(1_000_000);
    PrimaryCopy copy = startedCopy(Map.of());
    copy.write(1, books(3), LONG);
    pass(1_000);
    awaitWork();

    copy.close();

    assertThat(world.idle.mayHold(new ShardId("other", 0), 1_000_000)).isTrue();
  }
}
