package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeIdentityTest {

  @Test
  void onlyTheProcessThatJoinedIsAMember() {
    NodeInfo joined = Clusters.node("n1", NodeInfo.PRIMARY);
    ClusterState state = Clusters.with(joined);

    assertThat(process("n1", joined.incarnation()).isMemberOf(state)).isTrue();
    assertThat(process("n1", "later").isMemberOf(state)).isFalse();
    assertThat(process("n2", joined.incarnation()).isMemberOf(state)).isFalse();
    assertThat(process("n1", joined.incarnation()).isMemberOf(ClusterState.EMPTY)).isFalse();
  }

  private static NodeIdentity process(String nodeId, String incarnation) {
    return new NodeIdentity(nodeId, nodeId, incarnation, Set.of());
  }
}
