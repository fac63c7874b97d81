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

/** The table of {@link SegmentReplicaLife}: each transition from each phase. */
class SegmentReplicaLifeTest {

  private static final ReplicaParts PARTS = new ReplicaParts(null, null, null, null);

  /** A transition creates a new phase even if its parts are those of the previous one. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean changed(SegmentReplicaLife life, SegmentReplicaLife.Phase before) {
    return life.now() != before;
  }

  private enum Move {
    STARTING,
    HOLDING,
    COPYING,
    OPENED,
    STARTED,
    FAILED,
    CLOSING,
    CLOSED;

    /** Returns whether the transition changed the phase. */
    boolean of(SegmentReplicaLife life) {
      SegmentReplicaLife.Phase before = life.now();
      switch (this) {
        case STARTING -> life.starting();
        case HOLDING -> life.holding(PARTS);
        case COPYING -> assertThat(life.copying()).isEqualTo(changed(life, before));
        case OPENED -> assertThat(life.opened()).isEqualTo(changed(life, before));
        case STARTED -> assertThat(life.started()).isEqualTo(changed(life, before));
        case FAILED -> assertThat(life.failed().isPresent()).isEqualTo(changed(life, before));
        case CLOSING -> assertThat(life.closing()).isEqualTo(changed(life, before));
        case CLOSED -> life.closed();
      }
      return changed(life, before);
    }
  }

  private enum In {
    EMPTY,
    STARTING,
    HOLDING,
    COPYING,
    OPENED,
    STARTED,
    FAILED,
    CLOSING,
    CLOSED;

    SegmentReplicaLife life() {
      SegmentReplicaLife life = new SegmentReplicaLife();
      WAYS.get(this).forEach(move -> assertThat(move.of(life)).isTrue());
      return life;
    }
  }

  private static final List<Move> TO_COPYING = List.of(Move.STARTING, Move.HOLDING, Move.COPYING);

  private static final Map<In, List<Move>> WAYS =
      Map.of(
          In.EMPTY, List.of(),
          In.STARTING, List.of(Move.STARTING),
          In.HOLDING, List.of(Move.STARTING, Move.HOLDING),
          In.COPYING, TO_COPYING,
          In.OPENED, then(Move.OPENED),
          In.STARTED, then(Move.STARTED),
          In.FAILED, then(Move.FAILED),
          In.CLOSING, then(Move.STARTED, Move.CLOSING),
          In.CLOSED, then(Move.STARTED, Move.CLOSING, Move.CLOSED));

  private static List<Move> then(Move... further) {
    return Stream.concat(TO_COPYING.stream(), Stream.of(further)).toList();
  }

  private static final Map<In, Set<Move>> LEGAL =
      Map.of(
          In.EMPTY, EnumSet.of(Move.STARTING, Move.FAILED, Move.CLOSING),
          In.STARTING, EnumSet.of(Move.HOLDING, Move.FAILED, Move.CLOSING),
          In.HOLDING, EnumSet.of(Move.COPYING, Move.FAILED, Move.CLOSING),
          In.COPYING, EnumSet.of(Move.OPENED, Move.STARTED, Move.FAILED, Move.CLOSING),
          In.OPENED, EnumSet.of(Move.STARTED, Move.FAILED, Move.CLOSING),
          In.STARTED, EnumSet.of(Move.FAILED, Move.CLOSING),
          In.FAILED, EnumSet.of(Move.CLOSING),
          In.CLOSING, EnumSet.of(Move.CLOSED),
          In.CLOSED, EnumSet.noneOf(Move.class));

  /** Transitions that come too late: they have no effect and return that. */
  private static final Map<In, Set<Move>> WITHOUT_EFFECT =
      Map.of(
          In.EMPTY, EnumSet.noneOf(Move.class),
          In.STARTING, EnumSet.noneOf(Move.class),
          In.HOLDING, EnumSet.noneOf(Move.class),
          In.COPYING, EnumSet.noneOf(Move.class),
          In.OPENED, EnumSet.of(Move.OPENED),
          In.STARTED, EnumSet.of(Move.OPENED, Move.STARTED),
          In.FAILED, EnumSet.of(Move.COPYING, Move.OPENED, Move.STARTED, Move.FAILED),
          In.CLOSING, EnumSet.of(Move.OPENED, Move.STARTED, Move.FAILED, Move.CLOSING),
          In.CLOSED, EnumSet.of(Move.OPENED, Move.STARTED, Move.FAILED, Move.CLOSING));

  @Test
  void eachMoveIsLegalWithoutEffectOrThrows() {
    for (In phase : In.values()) {
      for (Move move : Move.values()) {
        SegmentReplicaLife life = phase.life();
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
      boolean opened = phase != In.EMPTY && phase != In.STARTING;
      assertThat(phase.life().now().parts().isPresent()).as("%s", phase).isEqualTo(opened);
    }
  }

  @Test
  void aCopyThatFailedWhileItsFolderWasOpenedGetsThePartsToClose() {
    SegmentReplicaLife life = In.STARTING.life();
    assertThat(life.failed()).isPresent();

    life.holding(PARTS);

    assertThat(life.state()).isEqualTo(State.FAILED);
    assertThat(life.now().parts()).contains(PARTS);
  }

  @Test
  void aCopyThatClosesIsReportedAsWhatItWas() {
    assertThat(In.CLOSING.life().state()).isEqualTo(State.STARTED);
    assertThat(In.CLOSED.life().state()).isEqualTo(State.CLOSED);
  }
}
