package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.HalfSentRequests;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Checks that 400 clients that never complete their requests do not delay other clients. */
@Tag("system")
@ExtendWith({RunningCluster.Shared.class, ServicesInOneJvm.Shared.class})
class HalfSentRequestsTest {

  @Test
  void leaveTheHealthOfAClusterOfProcessesAnswered(RunningCluster cluster) throws Exception {
    int port = URI.create("http://" + cluster.hostAndPort()).getPort();
    try (HalfSentRequests half = new HalfSentRequests(port, "/x/_search")) {
      half.awaitHeld();
      assertAnswered(cluster.rest(), "/_cluster/health");
    }
  }

  @Test
  void leaveTheHealthOfServicesInOneProcessAnswered(ServicesInOneJvm services) throws Exception {
    int port = services.port("coordinator");
    try (HalfSentRequests half = new HalfSentRequests(port, "/x/_search")) {
      half.awaitHeld();
      assertAnswered(services.rest(), "/_cluster/health");
    }
  }

  @Test
  void leaveANodeAnsweringOtherProcesses(RunningCluster cluster) throws Exception {
    cluster.rest().call("PUT", "/half-sent", "{\"settings\":{\"number_of_replicas\":0}}").orThrow();
    cluster.awaitGreen();
    String uuid =
        cluster
            .rest()
            .get("/_cat/indices/half-sent?format=json&h=uuid")
            .json()
            .get(0)
            .path("uuid")
            .asString();
    URI node = nodeOfPrimary(cluster.rest());
    String shard = "/_internal/shards/" + uuid + "/0/";
    try (RestCalls internal = new RestCalls(node.toString());
        HalfSentRequests half = new HalfSentRequests(node.getPort(), shard + "bulk?term=1")) {
      half.awaitHeld();
      assertAnswered(internal, "/_internal/node");
      assertAnswered(cluster.rest(), "/half-sent/_count");
    }
  }

  private static URI nodeOfPrimary(RestCalls rest) throws IOException {
    String name =
        rest.get("/_cat/shards/half-sent?format=json&h=node").json().get(0).path("node").asString();
    for (JsonNode node : rest.get("/_cat/nodes?format=json&h=name,http_address").json()) {
      if (node.path("name").asString().equals(name)) {
        return URI.create("http://" + node.path("http_address").asString());
      }
    }
    throw new IllegalArgumentException("no node " + name);
  }

  private static void assertAnswered(RestCalls rest, String path) throws IOException {
    assertThat(rest.get(path).status()).as(path).isEqualTo(200);
  }
}
