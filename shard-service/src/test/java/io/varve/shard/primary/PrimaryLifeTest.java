package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.host.ShardCopy.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The table of {@link PrimaryLife}: each move from each phase. */
class PrimaryLifeTest {

  private static final PrimaryParts PARTS =
      new PrimaryParts(null, null, null, null, null, null, null);

  private static final Consumer<PrimaryLife> STARTING = PrimaryLife::starting;
  private static final Consumer<PrimaryLife> REPLAYING = PrimaryLife::replaying;
  private static final Consumer<PrimaryLife> OPENING = life -> life.opening(PARTS);
  private static final Consumer<PrimaryLife> STARTED = PrimaryLife::started;
  private static final Consumer<PrimaryLife> GATE_CLOSED =
      life -> assertThat(life.gateClosed()).isTrue();
  private static final Consumer<PrimaryLife> FAILED = life -> assertThat(life.failed()).isTrue();
  private static final Consumer<PrimaryLife> CLOSED = PrimaryLife::closed;

  private static final Map<String, List<Consumer<PrimaryLife>>> WAYS =
      Map.of(
          "Empty", List.of(),
          "Starting", List.of(STARTING),
          "Replaying", List.of(STARTING, REPLAYING),
          "Opening", List.of(STARTING, REPLAYING, OPENING),
          "Started", List.of(STARTING, REPLAYING, OPENING, STARTED),
          "GateClosed", List.of(STARTING, REPLAYING, OPENING, GATE_CLOSED),
          "Failed", List.of(STARTING, REPLAYING, OPENING, STARTED, FAILED),
          "gate closed early", List.of(STARTING, REPLAYING, GATE_CLOSED),
          "failed early", List.of(STARTING, FAILED),
          "Closed", List.of(STARTING, REPLAYING, OPENING, STARTED, CLOSED));

  private static PrimaryLife in(String phase) {
    PrimaryLife life = new PrimaryLife();
    WAYS.get(phase).forEach(move -> move.accept(life));
    return life;
  }

  private static void assertLegalFromOnly(Consumer<PrimaryLife> move, String... phases) {
    Set<String> legal = Set.of(phases);
    WAYS.keySet()
        .forEach(phase -> {
          PrimaryLife life = in(phase);
          PrimaryLife.Phase before = life.now();
          if (legal.contains(phase)) {
            assertThatCode(() -> move.accept(life)).as(phase).doesNotThrowAnyException();
          } else {
            assertThatThrownBy(() -> move.accept(life))
                .as(phase)
                .isInstanceOf(IllegalStateException.class);
            assertThat(life.now()).isEqualTo(before);
          }
        });
  }

  @Test
  void startMovesInOneOrderAndThrowsFromAnyOtherPhase() {
    assertLegalFromOnly(STARTING, "Empty");
    assertLegalFromOnly(REPLAYING, "Starting");
    assertLegalFromOnly(OPENING, "Replaying", "gate closed early");
    assertLegalFromOnly(STARTED, "Opening", "GateClosed");
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
    assertThat(WAYS.keySet())
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
    assertThat(WAYS.keySet())
        .filteredOn(phase -> !in(phase).failed())
        .containsExactlyInAnyOrder("Failed", "failed early", "Closed");
    WAYS.keySet().stream()
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
