package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.host.ShardCopy.State;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of {@link DocumentReplicaLife}: each transition from each phase. */
class DocumentReplicaLifeTest {

  private static final DocumentReplicaParts PARTS =
      new DocumentReplicaParts(null, null, null, null, null);

  /** A transition creates a new phase even if its parts are those of the previous one. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean changed(DocumentReplicaLife life, DocumentReplicaLife.Phase before) {
    return life.now() != before;
  }

  private enum Move {
    STARTING,
    OPENED,
    REPLAYING,
    STARTED,
    STALLED,
    FAILED,
    CLOSED;

    /** Returns whether the transition changed the phase. */
    boolean of(DocumentReplicaLife life) {
      DocumentReplicaLife.Phase before = life.now();
      switch (this) {
        case STARTING -> life.starting();
        case OPENED -> life.opened(null);
        case REPLAYING -> life.replaying(PARTS);
        case STARTED -> assertThat(life.started()).isEqualTo(changed(life, before));
        case STALLED -> life.stalled("unreadable");
        case FAILED -> assertThat(life.failed().isPresent()).isEqualTo(changed(life, before));
        case CLOSED -> assertThat(life.closed().isPresent()).isEqualTo(changed(life, before));
      }
      return changed(life, before);
    }
  }

  private enum In {
    EMPTY,
    STARTING,
    OPENED,
    REPLAYING,
    STARTED,
    STALLED,
    FAILED,
    CLOSED;

    DocumentReplicaLife life() {
      DocumentReplicaLife life = new DocumentReplicaLife();
      WAYS.get(this).forEach(move -> assertThat(move.of(life)).isTrue());
      return life;
    }
  }

  private static final List<Move> TO_REPLAYING =
      List.of(Move.STARTING, Move.OPENED, Move.REPLAYING);

  private static final Map<In, List<Move>> WAYS =
      Map.of(
          In.EMPTY, List.of(),
          In.STARTING, List.of(Move.STARTING),
          In.OPENED, List.of(Move.STARTING, Move.OPENED),
          In.REPLAYING, TO_REPLAYING,
          In.STARTED, then(Move.STARTED),
          In.STALLED, then(Move.STARTED, Move.STALLED),
          In.FAILED, then(Move.FAILED),
          In.CLOSED, then(Move.STARTED, Move.CLOSED));

  private static List<Move> then(Move... further) {
    return Stream.concat(TO_REPLAYING.stream(), Stream.of(further)).toList();
  }

  private static final Map<In, Set<Move>> LEGAL =
      Map.of(
          In.EMPTY, EnumSet.of(Move.STARTING, Move.FAILED, Move.CLOSED),
          In.STARTING, EnumSet.of(Move.OPENED, Move.FAILED, Move.CLOSED),
          In.OPENED, EnumSet.of(Move.REPLAYING, Move.FAILED, Move.CLOSED),
          In.REPLAYING, EnumSet.of(Move.STARTED, Move.FAILED, Move.CLOSED),
          In.STARTED, EnumSet.of(Move.STALLED, Move.FAILED, Move.CLOSED),
          In.STALLED, EnumSet.of(Move.FAILED, Move.CLOSED),
          In.FAILED, EnumSet.of(Move.CLOSED),
          In.CLOSED, EnumSet.noneOf(Move.class));

  /** Transitions that have no effect and return that. */
  private static final Map<In, Set<Move>> WITHOUT_EFFECT =
      Map.of(
          In.EMPTY, EnumSet.of(Move.STALLED),
          In.STARTING, EnumSet.of(Move.STALLED),
          In.OPENED, EnumSet.of(Move.STALLED),
          In.REPLAYING, EnumSet.of(Move.STALLED),
          In.STARTED, EnumSet.noneOf(Move.class),
          In.STALLED, EnumSet.of(Move.STALLED),
          In.FAILED, EnumSet.of(Move.STARTED, Move.STALLED, Move.FAILED),
          In.CLOSED, EnumSet.of(Move.STALLED, Move.FAILED, Move.CLOSED));

  @Test
  void eachMoveIsLegalWithoutEffectOrThrows() {
    for (In phase : In.values()) {
      for (Move move : Move.values()) {
        DocumentReplicaLife life = phase.life();
        if (LEGAL.get(phase).contains(move)) {
          assertThat(move.of(life)).as("%s in %s", move, phase).isTrue();
        } else if (WITHOUT_EFFECT.get(phase).contains(move)) {
          assertThat(move.of(life)).as("%s in %s", move, phase).isFalse();
        } else {
          assertThatThrownBy(() -> move.of(life))
              .as("%s in %s", move, phase)
              .isInstanceOf(IllegalStateException.class);
        }
      }
    }
  }

  @Test
  void partsAreNeverTakenAway() {
    for (In phase : In.values()) {
      boolean made = phase.compareTo(In.REPLAYING) >= 0;
      assertThat(phase.life().now().parts().isPresent()).as("%s", phase).isEqualTo(made);
    }
  }

  @Test
  void onlyAStartedCopyStalls() {
    for (In phase : In.values()) {
      boolean stalls = phase == In.STARTED || phase == In.STALLED;
      assertThat(phase.life().stalled("again")).as("%s", phase).isEqualTo(stalls);
    }
  }

  @Test
  void aStalledCopyStaysStartedAndKeepsItsReason() {
    DocumentReplicaLife life = In.STALLED.life();
    assertThat(life.state()).isEqualTo(State.STARTED);

    assertThat(life.stalled("later")).isTrue();
    assertThat(life.failed()).containsInstanceOf(DocumentReplicaLife.Stalled.class);

    assertThat(life.state()).isEqualTo(State.FAILED);
    assertThat(life.now().stalledBy()).contains("unreadable");
  }

  @Test
  void aCopyThatFailedBeforeItsPartsExistGetsThemToClose() {
    DocumentReplicaLife life = In.OPENED.life();
    assertThat(life.failed()).isPresent();

    life.replaying(PARTS);

    assertThat(life.started()).isFalse();
    assertThat(life.state()).isEqualTo(State.FAILED);
    assertThat(life.now().parts()).contains(PARTS);
  }
}
