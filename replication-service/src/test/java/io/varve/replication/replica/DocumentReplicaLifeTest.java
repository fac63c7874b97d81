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

  private enum Transition {
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
      PATHS.get(this).forEach(transition -> assertThat(transition.of(life)).isTrue());
      return life;
    }
  }

  private static final List<Transition> TO_REPLAYING =
      List.of(Transition.STARTING, Transition.OPENED, Transition.REPLAYING);

  private static final Map<In, List<Transition>> PATHS =
      Map.of(
          In.EMPTY, List.of(),
          In.STARTING, List.of(Transition.STARTING),
          In.OPENED, List.of(Transition.STARTING, Transition.OPENED),
          In.REPLAYING, TO_REPLAYING,
          In.STARTED, then(Transition.STARTED),
          In.STALLED, then(Transition.STARTED, Transition.STALLED),
          In.FAILED, then(Transition.FAILED),
          In.CLOSED, then(Transition.STARTED, Transition.CLOSED));

  private static List<Transition> then(Transition... further) {
    return Stream.concat(TO_REPLAYING.stream(), Stream.of(further)).toList();
  }

  private static final Map<In, Set<Transition>> LEGAL =
      Map.of(
          In.EMPTY, EnumSet.of(Transition.STARTING, Transition.FAILED, Transition.CLOSED),
          In.STARTING, EnumSet.of(Transition.OPENED, Transition.FAILED, Transition.CLOSED),
          In.OPENED, EnumSet.of(Transition.REPLAYING, Transition.FAILED, Transition.CLOSED),
          In.REPLAYING, EnumSet.of(Transition.STARTED, Transition.FAILED, Transition.CLOSED),
          In.STARTED, EnumSet.of(Transition.STALLED, Transition.FAILED, Transition.CLOSED),
          In.STALLED, EnumSet.of(Transition.FAILED, Transition.CLOSED),
          In.FAILED, EnumSet.of(Transition.CLOSED),
          In.CLOSED, EnumSet.noneOf(Transition.class));

  /** Transitions that have no effect and return that. */
  private static final Map<In, Set<Transition>> WITHOUT_EFFECT =
      Map.of(
          In.EMPTY, EnumSet.of(Transition.STALLED),
          In.STARTING, EnumSet.of(Transition.STALLED),
          In.OPENED, EnumSet.of(Transition.STALLED),
          In.REPLAYING, EnumSet.of(Transition.STALLED),
          In.STARTED, EnumSet.noneOf(Transition.class),
          In.STALLED, EnumSet.of(Transition.STALLED),
          In.FAILED, EnumSet.of(Transition.STARTED, Transition.STALLED, Transition.FAILED),
          In.CLOSED, EnumSet.of(Transition.STALLED, Transition.FAILED, Transition.CLOSED));

  @Test
  void eachTransitionIsLegalWithoutEffectOrThrows() {
    for (In phase : In.values()) {
      for (Transition transition : Transition.values()) {
        DocumentReplicaLife life = phase.life();
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
