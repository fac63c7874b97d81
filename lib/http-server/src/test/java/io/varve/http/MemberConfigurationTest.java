package io.varve.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterMember;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeIdentity;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

class MemberConfigurationTest {

  private boolean joined;

  private final ClusterMember member =
      new ClusterMember() {
        @Override
        public ClusterView view() {
          throw new UnsupportedOperationException();
        }

        @Override
        public NodeIdentity identity() {
          return new NodeIdentity("n1", "n1", "i1", Set.of());
        }

        @Override
        public boolean joined() {
          return joined;
        }

        @Override
        public String lostReason() {
          return "";
        }
      };

  @Test
  void aProcessIsReadyOnceItIsAMember() {
    HealthIndicator membership = new MemberConfiguration().membership(member);

    Health before = membership.health();
    assertThat(before.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(before.getDetails())
        .containsEntry("reason", "this process is not a member of the cluster yet");

    joined = true;
    assertThat(membership.health().getStatus()).isEqualTo(Status.UP);
  }
}
