package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteCluster.Lease;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how a follower's lease changes with the responses of the leader's coordinators. */
class RecordedLeaseTest {

  private static final String HOLDER = "west-copyuuid";

  private final Coordinators leader = new Coordinators();
  private boolean follows = true;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean background;
  private final RecordedLease lease =
      new RecordedLease("books-uuid", HOLDER, leader, () -> follows, this::run);
  private final LeaseKeeper first = new LeaseKeeper(lease, 0);
  private final LeaseKeeper second = new LeaseKeeper(lease, 1);

  /** Keeps one lease by the rules of {@code LeaseDecisions}. */
  private static final class Coordinators implements RecordedLease.Coordinators {
    final List<LeaseRenewal> renewals = new ArrayList<>();
    long generation;
    boolean active;
    Map<Integer, Long> limits = Map.of();
    @Nullable IOException failure;

    @Override
    public Lease renew(LeaseRenewal renewal) throws IOException {
      renewals.add(renewal);
      if (failure != null) {
        throw failure;
      }
      if (!active && renewal.add() && renewal.generation() == generation) {
        active = true;
        generation++;
      }
      boolean known = active && (renewal.add() || renewal.generation() == generation);
      return known
          ? new Lease.Active(generation, limits)
          : new Lease.Missing(generation, "it was removed");
    }

    @Override
    public void release(LeaseRenewal.Release release) {
      active = false;
    }

    LeaseRenewal last() {
      return renewals.getLast();
    }
  }

  private void run(Runnable task) {
    if (background) {
      waiting.add(task);
    } else {
      task.run();
    }
  }

  private static LeaseRenewal add(long ended, Map<Integer, Long> offsets) {
    return new LeaseRenewal("books-uuid", HOLDER, ended, true, offsets);
  }

  private static LeaseRenewal renewal(long generation, Map<Integer, Long> offsets) {
    return new LeaseRenewal("books-uuid", HOLDER, generation, false, offsets);
  }

  @Test
  void aLeaseIsAddedBeforeAnythingIsReadAndRenewedAlsoWhileIdle() throws Exception {
    assertThat(first.renew(5, 0)).isTrue();
    assertThat(leader.last()).isEqualTo(add(0, Map.of(0, 5L)));
    assertThat(first.renew(5, 29_999)).isFalse();
    assertThat(first.renew(5, 30_000)).isTrue();
    assertThat(leader.last()).isEqualTo(renewal(1, Map.of(0, 5L)));
  }

  @Test
  void oneRequestRenewsTheLeaseForAllShardsOfTheNode() throws Exception {
    first.renew(5, 0);
    second.renew(7, 1_000);
    assertThat(leader.last()).as("another shard").isEqualTo(renewal(1, Map.of(0, 5L, 1, 7L)));

    for (long seconds = 2; seconds <= 600; seconds++) {
      first.renew(5 + seconds, seconds * 1_000);
      second.renew(7 + seconds, seconds * 1_000);
    }

    assertThat(leader.renewals.size()).isLessThanOrEqualTo(2 + 600 / 30 + 1);
    assertThat(leader.last().fromOffsets()).containsOnlyKeys(0, 1);
  }

  @Test
  void aLeaseThatDisappearsWhileFollowingIsAddedAgain() throws Exception {
    first.renew(5, 0);
    leader.active = false;

    first.renew(9, 30_000);

    assertThat(leader.renewals)
        .containsExactly(add(0, Map.of(0, 5L)), renewal(1, Map.of(0, 9L)), add(1, Map.of(0, 9L)));
    assertThat(lease.isRetained(0, 9)).isTrue();
    assertThat(lease.refusal()).isEmpty();
  }

  @Test
  void aRenewalInFlightDuringUnfollowDoesNotReviveTheLease() throws Exception {
    first.renew(5, 0);
    leader.active = false;
    follows = false;

    first.renew(9, 30_000);

    assertThat(leader.last()).isEqualTo(renewal(1, Map.of(0, 9L)));
    assertThat(leader.active).isFalse();
    assertThat(lease.refusal()).isEqualTo("it was removed");
  }

  @Test
  void aPausedFollowerDoesNotRenewAndAResumedOneDoes() throws Exception {
    first.renew(5, 0);
    int paused = leader.renewals.size();

    // No puller runs while the index is paused, and the lease expires meanwhile.
    leader.active = false;
    assertThat(leader.renewals).hasSize(paused);

    new LeaseKeeper(lease, 0).renew(5, 50_000_000);
    assertThat(leader.active).isTrue();
    assertThat(leader.last()).isEqualTo(add(1, Map.of(0, 5L)));
  }

  @Test
  void aProcessThatStartsAnewTakesOverTheLease() throws Exception {
    leader.active = true;
    leader.generation = 7;
    first.renew(5, 0);
    first.renew(6, 30_000);
    assertThat(leader.last()).isEqualTo(renewal(7, Map.of(0, 6L)));
  }

  @Test
  void aLeaseIsMovedToAnEarlierRecordBeforeThatIsRead() throws Exception {
    background = true;
    first.renew(50, 0);

    new LeaseKeeper(lease, 0).renew(0, 100);

    assertThat(leader.last()).isEqualTo(renewal(1, Map.of(0, 0L)));
    assertThat(waiting).as("requests that are not awaited").isEmpty();
  }

  @Test
  void aTransientErrorOnOneShardDropsNoLease() throws Exception {
    first.renew(5, 0);
    second.renew(7, 0);
    leader.failure = new IOException("no seed answered");
    first.renew(9, 30_000);
    leader.failure = null;

    second.renew(8, 45_000);

    assertThat(lease.isRetained(0, 9)).isTrue();
    assertThat(leader.last()).isEqualTo(renewal(1, Map.of(0, 9L, 1, 8L)));
  }

  @Test
  void aShardThatIsPulledHereNoMoreIsLeftToWhoeverPullsIt() throws Exception {
    first.renew(5, 0);
    second.renew(7, 0);
    for (long seconds = 1; seconds <= 120; seconds++) {
      first.renew(5 + seconds, seconds * 1_000);
    }
    assertThat(leader.last().fromOffsets()).containsOnlyKeys(0);
  }

  @Test
  void aRefusalIsTriedAgainSoonAndExplainsTheLossOfHistory() throws Exception {
    assertThat(first.withRefusal("the log begins at 50")).isEqualTo("the log begins at 50");
    first.renew(5, 0);
    leader.active = false;
    leader.generation = 3;
    follows = false;
    first.renew(5, 30_000);

    assertThat(first.withRefusal("the log begins at 50"))
        .isEqualTo("the log begins at 50; it was removed");
    assertThat(first.renew(5, 34_999)).isFalse();
    assertThat(first.renew(5, 35_000)).isTrue();
  }

  @Test
  void anIndexThatFollowsNoMoreAddsNoLease() throws Exception {
    first.renew(5, 0);
    first.release();
    follows = false;

    second.renew(7, 0);

    assertThat(leader.active).isFalse();
    assertThat(leader.renewals).hasSize(1);
  }

  @Test
  void aShardOverTheLimitIsRenewedAgainSoonAndTheReasonExplainsItsLossOfHistory() throws Exception {
    leader.limits = Map.of(0, 90L);
    first.renew(5, 0);

    assertThat(lease.isRetained(0, 5)).isFalse();
    assertThat(first.withRefusal("the log begins at 50"))
        .contains("retained more than [index.soft_deletes.retention_lease.max_bytes]")
        .endsWith("{0=90}");
    leader.limits = Map.of();
    assertThat(first.renew(95, 5_000)).isTrue();
    assertThat(first.withRefusal("lost")).isEqualTo("lost");
  }

  @Test
  void aReleasedLeaseEnds() throws Exception {
    first.renew(5, 0);
    first.release();
    assertThat(leader.active).isFalse();
    assertThat(lease.isRetained(0, 5)).isFalse();
  }

  @Test
  void theAnswersOfCoordinatorsAreUnderstood() throws Exception {
    assertThat(answer(200, "{\"generation\":4}")).isEqualTo(new Lease.Active(4, Map.of()));
    assertThat(answer(200, "{\"generation\":4,\"limits\":{\"1\":90}}"))
        .isEqualTo(new Lease.Active(4, Map.of(1, 90L)));
    assertThat(
            answer(
                404,
                "{\"error\":{\"type\":\"retention_lease_not_found_exception\",\"reason\":\"gone\","
                    + "\"newest_generation\":3},\"status\":404}"))
        .isEqualTo(new Lease.Missing(3, "gone"));
  }

  private static Lease answer(int status, String body) throws Exception {
    var server =
        com.sun.net.httpserver.HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/_internal/cluster/leases",
        exchange -> {
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return new RemoteCluster(http, List.of("127.0.0.1:" + server.getAddress().getPort()))
          .renew(renewal(1, Map.of(0, 1L)));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aRenewalThatIsNotAnsweredStopsNoPullerAndIsNotRepeatedByEachOfThem() throws Exception {
    first.renew(5, 0);
    second.renew(7, 0);
    background = true;

    first.renew(9, 30_000);
    second.renew(8, 30_000);
    first.renew(19, 60_000);

    assertThat(waiting).hasSize(1);
    waiting.removeFirst().run();
    assertThat(leader.last()).isEqualTo(renewal(1, Map.of(0, 19L, 1, 8L)));
    first.renew(29, 90_000);
    assertThat(waiting).hasSize(1);
  }
}
