package io.varve.control;

import static io.varve.control.LeadersOnALog.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader removes processes that refuse connections, and keeps those that accept them. */
class ReportedProcessesTest {

  private final LeadersOnALog world = new LeadersOnALog();

  @AfterEach
  void stopAll() throws Exception {
    world.close();
  }

  @Test
  void removesAReportedProcessThatRefusesConnectionsAndAdmitsItsSuccessor() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    NodeInfo node = Clusters.node("p", "primary");
    a.leader.start();
    await().until(a.leader::isLeading);
    world.pass(0);
    world.beat(node);
    await().until(() -> a.view.current().nodes().containsKey("p"));

    world.unheard = node.url();
    a.leader.disconnected("p", "another incarnation");
    a.leader.disconnected("p", node.incarnation());
    await().until(() -> !a.view.current().nodes().containsKey("p"));
    assertThat(world.nowMillis).as("far below the node timeout").hasValueLessThan(2_500);
    assertThat(world.probes).containsExactly(node.url(), node.url());
    assertThat(a.checks.suspicions(FaultDetection.Cause.DISCONNECTED)).isEqualTo(1);
    assertThat(a.checks.refusedRemovals()).isEqualTo(1);
    assertThat(a.checks.silentRemovals()).isZero();

    a.set("later", "v");
    assertThat(a.view.current().nodes())
        .as("its last heartbeat does not admit it")
        .containsOnlyKeys("a");
    world.beat(new NodeInfo("p", "p", "p-2", Set.of("primary"), "http://p:2"));
    await().until(() -> a.view.current().nodes().containsKey("p"));
  }

  @Test
  void keepsASilentProcessThatAcceptsConnectionsUntilTheNodeTimeout() throws Exception {
    LeadersOnALog.Coordinator a = world.new Coordinator("a");
    NodeInfo node = Clusters.node("p", "primary");
    a.leader.start();
    await().until(a.leader::isLeading);
    world.pass(0);
    world.beat(node);
    await().until(() -> a.view.current().nodes().containsKey("p"));

    world.pass(1_800);
    await().until(() -> world.probes.size() == 1);
    a.set("later", "v");
    assertThat(a.view.current().nodes()).containsOnlyKeys("a", "p");
    assertThat(a.checks.suspicions(FaultDetection.Cause.SILENT)).isEqualTo(1);

    await()
        .until(() -> {
          world.pass(500);
          return a.checks.silentRemovals() == 1;
        });
    await().until(() -> !a.view.current().nodes().containsKey("p"));
    assertThat(a.checks.refusedRemovals()).isZero();
  }
}
