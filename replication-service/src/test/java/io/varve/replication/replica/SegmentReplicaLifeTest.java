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

  private static final ReplicaParts PARTS = new ReplicaParts(null, null, null, null, null);

  /** A transition creates a new phase even if its parts are those of the previous one. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean changed(SegmentReplicaLife life, SegmentReplicaLife.Phase before) {
    return life.now() != before;
  }

  private enum Transition {
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
      PATHS.get(this).forEach(transition -> assertThat(transition.of(life)).isTrue());
      return life;
    }
  }

  private static final List<Transition> TO_COPYING =
      List.of(Transition.STARTING, Transition.HOLDING, Transition.COPYING);

  private static final Map<In, List<Transition>> PATHS =
      Map.of(
          In.EMPTY, List.of(),
          In.STARTING, List.of(Transition.STARTING),
          In.HOLDING, List.of(Transition.STARTING, Transition.HOLDING),
          In.COPYING, TO_COPYING,
          In.OPENED, then(Transition.OPENED),
          In.STARTED, then(Transition.STARTED),
          In.FAILED, then(Transition.FAILED),
          In.CLOSING, then(Transition.STARTED, Transition.CLOSING),
          In.CLOSED, then(Transition.STARTED, Transition.CLOSING, Transition.CLOSED));

  private static List<Transition> then(Transition... further) {
    return Stream.concat(TO_COPYING.stream(), Stream.of(further)).toList();
  }

  private static final Map<In, Set<Transition>> LEGAL =
      Map.of(
          In.EMPTY, EnumSet.of(Transition.STARTING, Transition.FAILED, Transition.CLOSING),
          In.STARTING, EnumSet.of(Transition.HOLDING, Transition.FAILED, Transition.CLOSING),
          In.HOLDING, EnumSet.of(Transition.COPYING, Transition.FAILED, Transition.CLOSING),
          In.COPYING,
              EnumSet.of(
                  Transition.OPENED, Transition.STARTED, Transition.FAILED, Transition.CLOSING),
          In.OPENED, EnumSet.of(Transition.STARTED, Transition.FAILED, Transition.CLOSING),
          In.STARTED, EnumSet.of(Transition.FAILED, Transition.CLOSING),
          In.FAILED, EnumSet.of(Transition.CLOSING),
          In.CLOSING, EnumSet.of(Transition.CLOSED),
          In.CLOSED, EnumSet.noneOf(Transition.class));

  /** Transitions that come too late: they have no effect and return that. */
  private static final Map<In, Set<Transition>> WITHOUT_EFFECT =
      Map.of(
          In.EMPTY, EnumSet.noneOf(Transition.class),
          In.STARTING, EnumSet.noneOf(Transition.class),
          In.HOLDING, EnumSet.noneOf(Transition.class),
          In.COPYING, EnumSet.noneOf(Transition.class),
          In.OPENED, EnumSet.of(Transition.OPENED),
          In.STARTED, EnumSet.of(Transition.OPENED, Transition.STARTED),
          In.FAILED,
              EnumSet.of(
                  Transition.COPYING, Transition.OPENED, Transition.STARTED, Transition.FAILED),
          In.CLOSING,
              EnumSet.of(
                  Transition.OPENED, Transition.STARTED, Transition.FAILED, Transition.CLOSING),
          In.CLOSED,
              EnumSet.of(
                  Transition.OPENED, Transition.STARTED, Transition.FAILED, Transition.CLOSING));

  @Test
  void eachTransitionIsLegalWithoutEffectOrThrows() {
    for (In phase : In.values()) {
      for (Transition transition : Transition.values()) {
        SegmentReplicaLife life = phase.life();
        if (LEGAL.get(phase).contains(transition)) {
          assertThat(transition.of(life)).as("%s in %s", transition, phase).isTrue();
        } else if (WITHOUT_EFFECT.get(phase).contains(transition)) {
          assertThat(transition.of(life)).as("%s in %s", transition, phase).isFalse();
        } else {
          assertThatThrownBy(() -> transition.of(life))
              .as("%s in %s", transition, phase)
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
