package io.varve.shard.primary;

import io.varve.host.CopyLife;
import io.varve.host.ShardCopy.State;
import java.util.Optional;

/**
 * The phase of a primary, and the parts that exist in that phase.
 *
 * <pre>
 *   Empty -> Starting -> Replaying -> Opening -> Started      in this order, by the thread that starts the copy
 *   any of these      -> GateClosed                           fenced, or the outcome of an append is unknown
 *   any but Closed    -> Failed
 *   any               -> Closed                               final
 * </pre>
 *
 * <p>A transition of the starting thread from any other phase throws. Other threads report the last
 * three phases. Such a report changes nothing if the copy has already ended, which its return value
 * indicates.
 *
 * <p>INVARIANT: a phase that has parts is followed only by phases that have the same parts.
 */
final class PrimaryLife extends CopyLife<PrimaryLife.Phase> {

  /** The phase of a primary. */
  sealed interface Phase extends CopyLife.Phase {

    /** The parts that accept writes, once the fence of the term is replayed. */
    default Optional<PrimaryParts> parts() {
      return Optional.empty();
    }
  }

  /** A phase in which the parts exist and may be used. */
  sealed interface Working extends Phase {

    PrimaryParts working();

    @Override
    default Optional<PrimaryParts> parts() {
      return Optional.of(working());
    }
  }

  /** The copy is not opened yet. */
  record Empty() implements Phase {
    @Override
    public State state() {
      return State.EMPTY;
    }
  }

  /** The copy opens the last commit. */
  record Starting() implements Phase {
    @Override
    public State state() {
      return State.STARTING;
    }
  }

  /** The copy applies the operations accepted since the commit, up to the fence of its term. */
  record Replaying() implements Phase {
    @Override
    public State state() {
      return State.REPLAYING;
    }
  }

  /** The copy accepts writes; its first segments are not published yet. */
  record Opening(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.REPLAYING;
    }
  }

  /** The copy accepts writes and answers searches. */
  record Started(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.STARTED;
    }
  }

  /** The copy answers searches and no longer accepts writes. */
  record GateClosed(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.GATE_CLOSED;
    }
  }

  /** The copy has failed. */
  record Failed(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.FAILED;
    }
  }

  /** The copy ended before it had parts: its gate is closed, or it failed. */
  record EndedEarly(State state) implements Phase {}

  /** The copy has released its resources. */
  record Closed(Phase before) implements Phase {
    @Override
    public State state() {
      return State.CLOSED;
    }

    @Override
    public Optional<PrimaryParts> parts() {
      return before.parts();
    }
  }

  PrimaryLife() {
    super(new Empty());
  }

  synchronized void starting() {
    if (!(now() instanceof Empty)) {
      throw illegal("Starting");
    }
    enter(new Starting());
  }

  synchronized void replaying() {
    if (!(now() instanceof Starting)) {
      throw illegal("Replaying");
    }
    enter(new Replaying());
  }

  /** Changes nothing if the gate was closed during the replay. */
  synchronized void opening(PrimaryParts parts) {
    enter(
        switch (now()) {
          case Replaying _ -> new Opening(parts);
          case EndedEarly(State state) when state == State.GATE_CLOSED -> new GateClosed(parts);
          default -> throw illegal("Opening");
        });
  }

  /** Changes nothing if the gate is closed; such a copy still answers searches. */
  synchronized void started() {
    switch (now()) {
      case Opening(PrimaryParts parts) -> enter(new Started(parts));
      case GateClosed _ -> {}
      default -> throw illegal("Started");
    }
  }

  /** Returns whether this call ended writes; false if the copy had ended before. */
  synchronized boolean gateClosed() {
    switch (now()) {
      case Opening(PrimaryParts parts) -> enter(new GateClosed(parts));
      case Started(PrimaryParts parts) -> enter(new GateClosed(parts));
      case GateClosed _ -> {}
      case Empty _, Starting _, Replaying _ -> enter(new EndedEarly(State.GATE_CLOSED));
      case EndedEarly(State state) -> {
        return state == State.GATE_CLOSED;
      }
      case Failed _, Closed _ -> {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether this call changed the phase; false if the copy had failed or was closed before.
   */
  synchronized boolean failed() {
    switch (now()) {
      case Opening(PrimaryParts parts) -> enter(new Failed(parts));
      case Started(PrimaryParts parts) -> enter(new Failed(parts));
      case GateClosed(PrimaryParts parts) -> enter(new Failed(parts));
      case Empty _, Starting _, Replaying _ -> enter(new EndedEarly(State.FAILED));
      case EndedEarly(State state) -> {
        if (state == State.FAILED) {
          return false;
        }
        enter(new EndedEarly(State.FAILED));
      }
      case Failed _, Closed _ -> {
        return false;
      }
    }
    return true;
  }

  synchronized void closed() {
    if (!(now() instanceof Closed)) {
      enter(new Closed(now()));
    }
  }
}
