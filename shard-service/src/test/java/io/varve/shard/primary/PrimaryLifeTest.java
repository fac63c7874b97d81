package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.host.ShardCopy.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of {@link PrimaryLife}: each transition from each phase. */
class PrimaryLifeTest {

  private static final PrimaryParts PARTS =
      new PrimaryParts(null, null, null, null, null, null, null);

  private enum Transition {
    STARTING,
    REPLAYING,
    OPENING,
    STARTED,
    GATE_CLOSED,
    FAILED,
    CLOSED;

    void of(PrimaryLife life) {
      switch (this) {
        case STARTING -> life.starting();
        case REPLAYING -> life.replaying();
        case OPENING -> life.opening(PARTS);
        case STARTED -> life.started();
        case GATE_CLOSED -> assertThat(life.gateClosed()).isTrue();
        case FAILED -> assertThat(life.failed()).isTrue();
        case CLOSED -> life.closed();
      }
    }
  }

  private static final Map<String, List<Transition>> PATHS =
      Map.of(
          "Empty", List.of(),
          "Starting", List.of(Transition.STARTING),
          "Replaying", List.of(Transition.STARTING, Transition.REPLAYING),
          "Opening", List.of(Transition.STARTING, Transition.REPLAYING, Transition.OPENING),
          "Started",
              List.of(
                  Transition.STARTING,
                  Transition.REPLAYING,
                  Transition.OPENING,
                  Transition.STARTED),
          "GateClosed",
              List.of(
                  Transition.STARTING,
                  Transition.REPLAYING,
                  Transition.OPENING,
                  Transition.GATE_CLOSED),
          "Failed",
              List.of(
                  Transition.STARTING,
                  Transition.REPLAYING,
                  Transition.OPENING,
                  Transition.STARTED,
                  Transition.FAILED),
          "gate closed early",
              List.of(Transition.STARTING, Transition.REPLAYING, Transition.GATE_CLOSED),
          "failed early", List.of(Transition.STARTING, Transition.FAILED),
          "Closed",
              List.of(
                  Transition.STARTING,
                  Transition.REPLAYING,
                  Transition.OPENING,
                  Transition.STARTED,
                  Transition.CLOSED));

  private static PrimaryLife in(String phase) {
    PrimaryLife life = new PrimaryLife();
    PATHS.get(phase).forEach(transition -> transition.of(life));
    return life;
  }

  private static void assertLegalFromOnly(Transition transition, String... phases) {
    Set<String> legal = Set.of(phases);
    PATHS
        .keySet()
        .forEach(phase -> {
          PrimaryLife life = in(phase);
          PrimaryLife.Phase before = life.now();
          if (legal.contains(phase)) {
            assertThatCode(() -> transition.of(life)).as(phase).doesNotThrowAnyException();
          } else {
            assertThatThrownBy(() -> transition.of(life))
                .as(phase)
                .isInstanceOf(IllegalStateException.class);
            assertThat(life.now()).isEqualTo(before);
          }
        });
  }

  @Test
  void startTakesTheTransitionsInOrderAndThrowsFromAnyOtherPhase() {
    assertLegalFromOnly(Transition.STARTING, "Empty");
    assertLegalFromOnly(Transition.REPLAYING, "Starting");
    assertLegalFromOnly(Transition.OPENING, "Replaying", "gate closed early");
    assertLegalFromOnly(Transition.STARTED, "Opening", "GateClosed");
  }

  @Test
  void aGateThatClosedDuringTheStartStaysClosed() {
    PrimaryLife early = in("gate closed early");
    early.opening(PARTS);
    assertThat(early.state()).isEqualTo(State.GATE_CLOSED);
    assertThat(early.now().parts()).contains(PARTS);

    PrimaryLife late = in("GateClosed");
    late.started();
    assertThat(late.state()).isEqualTo(State.GATE_CLOSED);
  }

  @Test
  void aClosedGateIsReportedUntilThePrimaryFailsOrCloses() {
    assertThat(PATHS.keySet())
        .filteredOn(phase -> in(phase).gateClosed())
        .containsExactlyInAnyOrder(
            "Empty",
            "Starting",
            "Replaying",
            "Opening",
            "Started",
            "GateClosed",
            "gate closed early");
  }

  @Test
  void failsOnceFromEachPhaseButClosed() {
    assertThat(PATHS.keySet())
        .filteredOn(phase -> !in(phase).failed())
        .containsExactlyInAnyOrder("Failed", "failed early", "Closed");
    PATHS.keySet().stream()
        .filter(phase -> !phase.equals("Closed"))
        .forEach(phase -> {
          PrimaryLife life = in(phase);
          var _ = life.failed();
          assertThat(life.state()).as(phase).isEqualTo(State.FAILED);
        });
  }

  @Test
  void keepsItsPartsToTheEnd() {
    for (String phase : List.of("Opening", "Started", "GateClosed", "Failed")) {
      PrimaryLife life = in(phase);
      assertThat(life.now()).as(phase).isInstanceOf(PrimaryLife.Working.class);
      life.closed();
      life.closed();
      assertThat(life.state()).isEqualTo(State.CLOSED);
      assertThat(life.now()).isNotInstanceOf(PrimaryLife.Working.class);
      assertThat(life.now().parts()).as(phase).contains(PARTS);
    }
  }

  @Test
  void hasNoPartsBeforeTheFenceIsReplayedTo() {
    for (String phase : List.of("Empty", "Starting", "Replaying", "failed early")) {
      assertThat(in(phase).now().parts()).as(phase).isEmpty();
    }
  }
}
