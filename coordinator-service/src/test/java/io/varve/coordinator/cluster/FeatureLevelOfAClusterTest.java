package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.control.AddressProof;
import io.varve.events.FeatureLevels;
import io.varve.process.Ticker;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The feature level of a real cluster: how it begins, when it rises, and who is refused. */
@Tag("system")
@Tag("broker")
class FeatureLevelOfAClusterTest extends CoordinatorCluster {
  /** Starts a coordinator of another release, which supports other feature levels. */
  private CoordinatorNode startRelease(String name, FeatureLevels levels) throws IOException {
    HttpClient http = HttpClient.newHttpClient();
    running.push(http);
    CoordinatorNode node =
        new CoordinatorNode(
            new CoordinatorSettings(
                clusterName, name, data.resolve(name), 100, NEVER_MILLIS, NEVER_MILLIS),
            log,
            new Topics(clusterName, 1),
            new CoordinatorNode.Others(http, AddressProof.BELIEVED),
            new CoordinatorNode.Clocks(InstantSource.system(), Ticker.SYSTEM),
            levels);
    running.push(node);
    node.start("http://127.0.0.1:1");
    return node;
  }

  @Test
  void aNewClusterBeginsAtTheNewestFeatureLevel() throws Exception {
    ConfigurableApplicationContext context = startCoordinator("one");
    await().until(() -> node(context).state().version() > 0);

    assertThat(node(context).state().featureLevel()).isEqualTo(FeatureLevels.NEWEST);
    HttpResponse<String> shown = get(url(context) + "/_cluster/feature_level");
    assertThat(shown.body()).contains("\"feature_level\":" + FeatureLevels.NEWEST);
  }

  @Test
  void theFeatureLevelOfAnUpgradedClusterRisesWhenItsLastOldMemberIsGone() throws Exception {
    FeatureLevels old = new FeatureLevels(1, 1);
    CoordinatorNode first = startRelease("one", old);
    await().until(() -> first.state().nodes().size() == 1);
    assertThat(first.state().featureLevel()).isEqualTo(1);
    first.close();

    ConfigurableApplicationContext upgraded = startCoordinator("one");
    CoordinatorNode node = node(upgraded);
    String url = url(upgraded) + "/_cluster/feature_level";
    Beating replica = startNode("replica", NodeInfo.REPLICA, old);
    await().until(() -> node.state().nodes().size() == 2 && node.isLeading());
    assertThat(node.state().featureLevel()).isEqualTo(1);

    HttpResponse<String> refused = post(url, "{\"feature_level\":2}");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body())
        .contains(
            "feature_level_not_supported_exception", "node [replica] (supports feature level 1)");

    replica.close();
    Beating newer = startNode("replica", NodeInfo.REPLICA);
    await()
        .until(() ->
            node.state()
                .node(newer.identity.nodeId())
                .filter(n -> n.incarnation().equals(newer.identity.incarnation()))
                .isPresent());
    HttpResponse<String> raised = post(url, "{}");
    assertThat(raised.body())
        .isEqualTo("{\"acknowledged\":true,\"feature_level\":%d}", FeatureLevels.NEWEST);
    assertThat(node.state().featureLevel()).isEqualTo(FeatureLevels.NEWEST);
    assertThat(post(url, "{\"feature_level\":1}").statusCode()).isEqualTo(400);
  }

  @Test
  void anOldNodeIsRefusedByARaisedCluster() throws Exception {
    ConfigurableApplicationContext context = startCoordinator("one");
    CoordinatorNode node = node(context);
    await().until(() -> node.state().nodes().size() == 1);
    Beating old = startNode("old", NodeInfo.REPLICA, FeatureLevels.UNSAID);
    await().until(() -> node.nodes().heartbeat(old.identity.nodeId()).isPresent());
    CoordinatorNode oldCoordinator = startRelease("older", new FeatureLevels(1, 1));
    await().until(() -> !oldCoordinator.lostReason().isEmpty());
    startNode("current", NodeInfo.REPLICA);
    await().until(() -> node.state().nodes().size() == 2);

    assertThat(node.state().nodes().values()).extracting(NodeInfo::name).doesNotContain("old");
    assertThat(oldCoordinator.lostReason())
        .startsWith(
            "the cluster is at feature level %d, this process supports level 1"
                .formatted(FeatureLevels.NEWEST));
    assertThat(get(url(context) + "/_cluster/feature_level").body())
        .contains(
            "\"name\":\"old\",\"member\":false",
            "it supports feature level 1, the cluster is at feature level " + FeatureLevels.NEWEST);
  }

  @Test
  void aNodeWhoseOldestLevelIsBeyondTheClustersIsRefused() throws Exception {
    CoordinatorNode node = startRelease("one", new FeatureLevels(1, 1));
    await().until(() -> node.state().nodes().size() == 1);
    CoordinatorNode newer = startRelease("newer", new FeatureLevels(2, 3));

    await().until(() -> !newer.lostReason().isEmpty());
    assertThat(newer.lostReason())
        .startsWith("the cluster is at feature level 1, this process supports levels 2 to 3");
    assertThat(node.state().nodes()).hasSize(1);
  }
}
