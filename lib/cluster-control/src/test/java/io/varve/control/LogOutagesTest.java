package io.varve.control;

import static io.varve.control.LeadersOnALog.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import io.varve.log.LogException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Brokers lead different partitions of heartbeats, and some of them fail over. */
class LogOutagesTest {

  /** Long enough for several ticks of the leader, in each of which seconds of its clock pass. */
  private static final Duration SEVERAL_TICKS = Duration.ofMillis(3 * ClusterLeader.TICK_MILLIS);

  private final LeadersOnALog world = new LeadersOnALog();
  private final LeadersOnALog.Coordinator leader;

  /** With the leader, one in each partition. */
  private final List<NodeInfo> members =
      List.of(
          Clusters.node("b", NodeInfo.PRIMARY),
          Clusters.node("c3", NodeInfo.PRIMARY),
          Clusters.node("p", NodeInfo.PRIMARY));

  LogOutagesTest() throws LogException {
    leader = world.new Coordinator("a");
  }

  @AfterEach
  void stopAll() throws Exception {
    world.close();
  }

  private void beatAll(long millis) throws Exception {
    world.pass(millis);
    for (NodeInfo member : members) {
      world.beat(member);
    }
  }

  private void lead() {
    leader.leader.start();
    await().until(leader.leader::isLeading);
    await()
        .until(() -> {
          beatAll(0);
          return leader.view.current().nodes().size() == 4;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2", "0 1", "0 1 2"})
  void noMemberLeavesWhileAPartitionIsUnavailable(String partitions) throws Exception {
    lead();
    Arrays.stream(partitions.split(" ")).map(Integer::valueOf).forEach(world.unavailable::add);
    await()
        .during(SEVERAL_TICKS)
        .until(() -> {
          beatAll(1_000);
          return leader.view.current().nodes().size() == 4;
        });

    world.unavailable.clear();
    long beganMillis = world.nowMillis.get();
    await()
        .until(() -> {
          world.pass(500);
          return leader.view.current().nodes().keySet().equals(Set.of("a"));
        });
    assertThat(world.nowMillis.get() - beganMillis)
        .as("silent members leave, and the leader stays")
        .isGreaterThanOrEqualTo(5_000);
  }

  @Test
  void theProcessOfAMemberThatEndedInAnOutageLeavesAfterIt() throws Exception {
    lead();
    NodeInfo ended = members.getLast();
    world.unheard = ended.url();
    world.unavailable.addAll(List.of(0, 1, 2));
    leader.leader.disconnected(ended.nodeId(), ended.incarnation());
    await().until(() -> world.probes.size() > 3);
    assertThat(leader.view.current().nodes()).hasSize(4);

    world.unavailable.clear();
    await()
        .until(() -> {
          world.pass(100);
          return !leader.view.current().nodes().containsKey("p");
        });
    assertThat(leader.checks.refusedRemovals()).isEqualTo(1);
  }
}
