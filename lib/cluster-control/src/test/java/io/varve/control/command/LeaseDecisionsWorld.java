package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** An index of two shards on which a follower holds a lease, and a leader with a clock. */
abstract class LeaseDecisionsWorld {

  static final String HOLDER = "west-copyuuid";
  static final long PERIOD = 3_600_000;
  static final long MINUTE = 60_000;

  long nowMillis = 10 * PERIOD;
  LeaseDecisions leases = new LeaseDecisions(() -> nowMillis);
  ClusterState state = ClusterState.EMPTY;

  @BeforeEach
  void anIndexOfTwoShards() {
    happened(new ClusterEvent.FeatureLevelRaised(2));
    create("books", Map.of("index.soft_deletes.retention_lease.period", "1h"));
    lead();
    nowMillis += MINUTE;
  }

  void create(String name, Map<String, String> settings) {
    happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                name,
                name + "-uuid",
                0,
                settings,
                1,
                "{}",
                1,
                null,
                List.of(shard(name, 0), shard(name, 1)))));
  }

  static ShardRouting shard(String index, int number) {
    return new ShardRouting(
        new ShardId(index + "-uuid", number),
        1,
        List.of(new CopyRouting("c", true, CopyRouting.State.STARTED, "n1", "")),
        List.of());
  }

  void lead() {
    leases = new LeaseDecisions(() -> nowMillis);
    leases.lead(nowMillis);
  }

  void happened(ClusterEvent event) {
    state = state.apply(event);
  }

  /** Applies the decision; returns the number of events, or the refusal. */
  Object decided(Decision decision) {
    return switch (decision) {
      case Decision.Events(var events) -> {
        events.forEach(this::happened);
        yield events.size();
      }
      case Decision.Refused(ErrorBody error) -> error;
    };
  }

  Object add(long ended, Map<Integer, Long> offsets) {
    return decided(
        leases.renew(state, new LeaseRenewal("books-uuid", HOLDER, ended, true, offsets)));
  }

  Object renew(long generation, Map<Integer, Long> offsets) {
    return decided(
        leases.renew(state, new LeaseRenewal("books-uuid", HOLDER, generation, false, offsets)));
  }

  Object remove() {
    return decided(leases.end(state, new ClusterCommand.EndLeases("books-uuid", List.of(HOLDER))));
  }

  /** The number of events that are due. */
  int tick(long millis) {
    nowMillis += millis;
    List<ClusterEvent> due = leases.due(state, nowMillis);
    due.forEach(this::happened);
    return due.size();
  }

  RetentionLease lease() {
    return state.indices().get("books").leases().get(HOLDER);
  }

  static ErrorBody refusal(Object decided) {
    assertThat(decided).isInstanceOf(ErrorBody.class);
    return (ErrorBody) decided;
  }
}
