package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.host.AppendFaults.Fate;
import io.varve.host.RefreshTurns;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A node on which one periodic refresh runs at a time. The test holds its only turn, as a refresh
 * of another copy would.
 */
class PeriodicRefreshesTest extends PrimaryCopyWorld {

  private RefreshTurns.Turn held;

  private PrimaryCopy startedBehindAnotherRefresh() throws Exception {
    world.createIndex(Map.of("index.refresh_interval", "50ms"), MAPPING);
    PrimaryCopy copy = started("n1", 1);
    held = world.refreshes.ask(0, _ -> {});
    assertThat(held.isRunning()).isTrue();
    return copy;
  }

  @Test
  void aPeriodicRefreshWaitsForItsTurn() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.write(1, books(3), LONG);
    await().atMost(LONG).until(() -> world.refreshes.waiting() == 1);
    assertThat(copy.visible().current()).isEqualTo(-1);

    held.end();

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
    await().atMost(LONG).until(() -> world.refreshes.running() == 0);
    assertThat(world.refreshes.ended()).isEqualTo(2);
  }

  @Test
  void aRequestedRefreshDoesNotWaitForATurn() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.write(1, books(3), LONG);
    await().atMost(LONG).until(() -> world.refreshes.waiting() == 1);

    assertThat(copy.refresh(LONG).visibleSeqNo()).isEqualTo(2);

    assertThat(held.isRunning()).isTrue();
    held.end();
    await().atMost(LONG).until(() -> world.refreshes.ended() == 2);
    assertThat(world.refreshes.running()).isZero();
  }

  @Test
  void aRequestThatWaitsForAnOperationDoesNotWaitForATurn() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.want(2, new CompletableFuture<>());
    copy.write(1, books(3), LONG);

    await().atMost(LONG).until(() -> copy.visible().current() == 2);

    assertThat(held.isRunning()).isTrue();
  }

  @Test
  void aRefreshWhoseManifestIsLostGivesItsTurnBack() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.write(1, books(3), LONG);
    world.appends.ofManifests = Fate.LOST;
    held.end();
    await().atMost(LONG).until(() -> world.refreshes.ended() >= 2);
    world.appends.ofManifests = Fate.ACCEPTED;

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
    await().atMost(LONG).until(() -> world.refreshes.running() == 0);
  }

  @Test
  void aTurnEndsBeforeTheManifestIsInTheLog() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.write(1, books(3), LONG);
    world.appends.ofManifests = Fate.UNANSWERED;
    held.end();

    await().atMost(LONG).until(() -> world.refreshes.ended() == 2);

    assertThat(world.refreshes.running()).isZero();
    assertThat(copy.visible().current()).isEqualTo(-1);
  }

  @Test
  void aClosedCopyLeavesTheQueue() throws Exception {
    PrimaryCopy copy = startedBehindAnotherRefresh();
    copy.write(1, List.of(book("a", "b")), LONG);
    await().atMost(LONG).until(() -> world.refreshes.waiting() == 1);

    copy.close();

    assertThat(world.refreshes.waiting()).isZero();
    assertThat(held.isRunning()).isTrue();
  }
}
