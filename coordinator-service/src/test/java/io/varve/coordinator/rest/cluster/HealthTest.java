package io.varve.coordinator.rest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthTest {

  private static final ClusterState STATE =
      ClusterState.EMPTY.apply(
          new ClusterEvent.NodeJoined(
              new NodeInfo("n", "n", "i", Set.of(NodeInfo.PRIMARY), "http://n")));

  /**
   * Each copy is a letter for its kind, {@code p}, {@code r} or {@code s}; a capital letter means
   * that it serves.
   */
  @ParameterizedTest
  @CsvSource({
    "P, GREEN, 0",
    "P R S, GREEN, 0",
    "p R S, RED, 1",
    "P r S, YELLOW, 1",
    "P R s, YELLOW, 1",
    "P R S s, YELLOW, 1",
    "S, GREEN, 0",
    "S s, YELLOW, 1",
    "s s, RED, 2",
  })
  void itsColourSaysWhatIsMissing(String copies, Health.Status colour, int unassigned) {
    List<CopyRouting> routing = new ArrayList<>();
    for (String kind : copies.split(" ", -1)) {
      boolean serves = kind.equals(kind.toUpperCase(Locale.ROOT));
      routing.add(
          new CopyRouting(
              kind + routing.size(),
              kind.equalsIgnoreCase("p"),
              serves ? CopyRouting.State.STARTED : CopyRouting.State.UNASSIGNED,
              serves ? "n" : null,
              "",
              kind.equalsIgnoreCase("s")));
    }

    Health health = Health.of(STATE, new ShardRouting(new ShardId("u", 0), 1, routing));

    assertThat(health.status()).isEqualTo(colour);
    assertThat(health.unassigned()).isEqualTo(unassigned);
  }
}
