package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.cluster.ProcessPlan.Role;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterPlanTest {

  private static final String BOOTSTRAP = "--varve.kafka.bootstrap-servers=";
  private static final String REMOTE_BOOTSTRAP = "--varve.kafka.remote-bootstrap-servers=";

  @TempDir private Path data;

  private List<ClusterPlan> plans(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), "--port", "9700"));
    arguments.addAll(List.of(more));
    return ClusterPlan.of(ClusterOptions.parse(arguments.toArray(String[]::new)));
  }

  private static List<ProcessPlan> of(ClusterPlan cluster, Role role) {
    return cluster.processes().stream().filter(process -> process.role() == role).toList();
  }

  private static List<String> values(ProcessPlan process, String prefix) {
    return process.arguments().stream()
        .filter(argument -> argument.startsWith(prefix))
        .map(argument -> argument.substring(prefix.length()))
        .toList();
  }

  private static int option(ProcessPlan broker, String name) {
    return Integer.parseInt(broker.arguments().get(broker.arguments().indexOf(name) + 1));
  }

  @Test
  void oneClusterHasNoLinkAndTellsFollowersNothingElse() throws Exception {
    List<ClusterPlan> plans = plans();

    assertThat(plans).hasSize(1);
    ClusterPlan only = plans.getFirst();
    assertThat(only.name()).isEqualTo("leader");
    assertThat(only.links()).isEmpty();
    assertThat(only.seeds()).containsExactly("127.0.0.1:9700");
    assertThat(values(of(only, Role.COORDINATOR).getFirst(), REMOTE_BOOTSTRAP)).isEmpty();
    assertThat(of(only, Role.BROKER).getFirst().arguments()).doesNotContain("--remote-port");
  }

  @Test
  void theFollowerHasItsOwnBrokerFolderAndPorts() throws Exception {
    List<ClusterPlan> plans = plans("--follower");

    assertThat(plans).extracting(ClusterPlan::name).containsExactly("leader", "follower");
    ClusterPlan follower = plans.getLast();
    assertThat(follower.url()).isEqualTo("http://127.0.0.1:9800");
    assertThat(follower.data()).isEqualTo(data.resolve("follower"));
    assertThat(follower.nodes()).isEqualTo(plans.getFirst().nodes());
    assertThat(plans.stream().flatMap(plan -> plan.processes().stream()))
        .extracting(ProcessPlan::url)
        .doesNotHaveDuplicates();
    String brokerOfFollower = of(follower, Role.BROKER).getFirst().url();
    assertThat(follower.processes().stream().filter(ProcessPlan::isNode))
        .allSatisfy(node -> assertThat(values(node, BOOTSTRAP)).containsExactly(brokerOfFollower));
  }

  @Test
  void onlyTheFollowerIsToldTheAddressesOfTheLinks() throws Exception {
    List<ClusterPlan> plans =
        plans("--follower", "--link", "delay=60ms", "--brokers", "2", "--coordinators", "2");

    ClusterPlan leader = plans.getFirst();
    assertThat(leader.links())
        .extracting(ClusterPlan.LinkPlan::process)
        .containsExactly("broker-1", "broker-2", "coordinator-1", "coordinator-2");
    List<String> addresses = leader.links().stream().map(ClusterPlan.LinkPlan::address).toList();
    assertThat(leader.seeds()).isEqualTo(addresses.subList(2, 4));
    assertThat(of(leader, Role.COORDINATOR))
        .allSatisfy(coordinator ->
            assertThat(values(coordinator, REMOTE_BOOTSTRAP))
                .containsExactly(String.join(",", addresses.subList(0, 2))));
    assertThat(leader.processes().stream().filter(ProcessPlan::isNode))
        .allSatisfy(node ->
            assertThat(String.join(",", values(node, BOOTSTRAP))).doesNotContain(addresses));
    assertThat(plans.getLast().links()).isEmpty();
  }

  @Test
  void eachBrokerAnnouncesItsLinkToTheClientsBehindIt() throws Exception {
    ClusterPlan leader = plans("--follower", "--link", "delay=60ms", "--brokers", "2").getFirst();

    List<ProcessPlan> brokers = of(leader, Role.BROKER);
    for (int i = 0; i < brokers.size(); i++) {
      assertThat(option(brokers.get(i), "--remote-port")).isEqualTo(leader.links().get(i).target());
      assertThat(option(brokers.get(i), "--remote-advertised-port"))
          .isEqualTo(leader.links().get(i).port());
    }
  }

  @Test
  void eachProcessOfASecuredClusterHasItsOwnCertificateAndPublishesItsSecondPort()
      throws Exception {
    ClusterPlan secured = plans("--secured").getFirst();

    assertThat(secured.url()).isEqualTo("https://127.0.0.1:9700");
    CertificateFolder certificates =
        new CertificateFolder(data.resolve("security"), InstantSource.system());
    for (ProcessPlan node : secured.processes().stream().filter(ProcessPlan::isNode).toList()) {
      assertThat(certificates.certified(node.name()).identity().service().text())
          .isEqualTo(node.role().text);
      assertThat(values(node, "--varve.security.tls.folder="))
          .containsExactly(certificates.of(node.name()).toString());
      assertThat(values(node, "--varve.publish-address=127.0.0.1:"))
          .isEqualTo(values(node, "--varve.security.tls.internal-port="))
          .isNotEqualTo(values(node, "--server.port="));
    }
    assertThat(plans("--secured").getFirst()).isEqualTo(secured);
  }

  @Test
  void portsStayTheSameAtTheNextStart() throws Exception {
    List<ClusterPlan> first = plans("--follower", "--link", "delay=60ms");

    assertThat(plans("--follower", "--link", "delay=60ms")).isEqualTo(first);
    assertThat(Stream.concat(first.stream(), plans().stream()).map(ClusterPlan::url).distinct())
        .hasSize(2);
  }
}
