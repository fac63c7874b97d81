package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Replacement;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.ShardRouting;
import io.varve.events.FollowerLease;
import io.varve.events.ShardId;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the lease that a promoted index keeps for its former leader is released. */
class FailbackLeasesTest {

  private static final String HELD = "failback-former-uuid";
  private static final RetentionLease AT_THE_FORK = new RetentionLease(1, 0, Map.of(0, 9L, 1, 9L));

  private ClusterState own =
      ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("west", "west-uuid"));
  private ClusterState leaders = ClusterState.EMPTY;

  private static ClusterState with(
      ClusterState state, String name, @Nullable FollowRelation follow) {
    List<ShardRouting> shards =
        IntStream.range(0, 2)
            .mapToObj(number ->
                new ShardRouting(
                    new ShardId(name + "-uuid", number),
                    1,
                    List.of(new CopyRouting("p", true, CopyRouting.State.STARTED, "n1", ""))))
            .toList();
    return state.apply(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(name, name + "-uuid", 0, Map.of(), 1, "{}", 1, follow, shards)));
  }

  private void failback() {
    leaders = with(leaders, "copy", null);
    lease(HELD, AT_THE_FORK);
    own = with(own, "former", null);
    own =
        with(
            own,
            "successor",
            Replacement.failback(
                new FollowRelation("east", "copy", "copy-uuid", "n1", 1),
                new Failback("former-uuid", Map.of())));
  }

  private void lease(String holder, RetentionLease lease) {
    leaders =
        leaders.apply(new ClusterEvent.LeasesChanged(Map.of("copy-uuid", Map.of(holder, lease))));
  }

  private void ownLease(Map<Integer, Long> offsets) {
    lease(FollowerLease.holder("west-uuid", "successor-uuid"), new RetentionLease(2, 0, offsets));
  }

  private void end() {
    own = own.apply(new ClusterEvent.FollowerReplaced("former-uuid", "successor-uuid"));
  }

  private List<LeaseRenewal.Release> unneeded() {
    return FailbackLeases.unneeded(own, "east", leaders);
  }

  @Test
  void itIsReleasedWhenTheFailbackHasEndedAndTheFollowerHasALeaseOnEveryShard() {
    failback();
    ownLease(Map.of(0, 12L, 1, 12L));
    assertThat(unneeded()).as("during the failback").isEmpty();
    end();

    assertThat(unneeded()).containsExactly(new LeaseRenewal.Release("copy-uuid", HELD));
    assertThat(FailbackLeases.unneeded(own, "north", leaders)).as("another cluster").isEmpty();
    lease(HELD, AT_THE_FORK.ended(RetentionLease.End.REMOVED, 5));
    assertThat(unneeded()).as("once it has ended").isEmpty();
  }

  @Test
  void itStaysUntilEachShardOfTheFollowerHasItsOwnLease() {
    failback();
    end();
    assertThat(unneeded()).isEmpty();
    ownLease(Map.of(0, 12L));
    assertThat(unneeded()).isEmpty();

    ownLease(Map.of(0, 12L, 1, 12L));

    assertThat(unneeded()).hasSize(1);
  }

  @Test
  void aFollowerThatNeverFailedBackReleasesNothing() {
    failback();
    own = own.apply(new ClusterEvent.IndexDeleted("successor-uuid"));
    own = with(own, "plain", new FollowRelation("east", "copy", "copy-uuid", "n1", 1));

    assertThat(unneeded()).isEmpty();
  }
}
