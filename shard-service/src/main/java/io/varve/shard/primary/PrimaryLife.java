package io.varve.shard.primary;

import io.varve.host.CopyLife;
import io.varve.host.ShardCopy.State;
import java.util.Optional;

/**
 * The phase of a primary, and what exists in it.
 *
 * <pre>
 *   Empty -> Starting -> Replaying -> Opening -> Started      in this order, by the thread of start
 *   any of these      -> GateClosed                           fenced, or the outcome of an append is unknown
 *   any but Closed    -> Failed
 *   any               -> Closed                               for good
 * </pre>
 *
 * <p>A move of {@code start} from any other phase throws. The ends are reported by other threads: a
 * report that comes after another end changes nothing, and its return value says so.
 *
 * <p>INVARIANT: parts are never taken away; a phase that has them is followed by phases that have
 * the same.
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

  /** Nothing is opened. */
  record Empty() implements Phase {
    @Override
    public State state() {
      return State.EMPTY;
    }
  }

  /** Opens what the last commit holds. */
  record Starting() implements Phase {
    @Override
    public State state() {
      return State.STARTING;
    }
  }

  /** Applies what was accepted since the commit, up to the fence of its term. */
  record Replaying() implements Phase {
    @Override
    public State state() {
      return State.REPLAYING;
    }
  }

  /** Accepts writes; its first segments are not published yet. */
  record Opening(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.REPLAYING;
    }
  }

  /** Accepts writes and answers searches. */
  record Started(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.STARTED;
    }
  }

  /** Answers searches and accepts no writes any more. */
  record GateClosed(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.GATE_CLOSED;
    }
  }

  /** Can't continue. */
  record Failed(PrimaryParts working) implements Working {
    @Override
    public State state() {
      return State.FAILED;
    }
  }

  /** Ended before it had parts: its gate is closed, or it failed. */
  record EndedEarly(State state) implements Phase {}

  /** Everything is released. */
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

  /** A gate that closed during the replay stays closed: nothing is accepted. */
  synchronized void opening(PrimaryParts parts) {
    enter(
        switch (now()) {
          case Replaying _ -> new Opening(parts);
          case EndedEarly(State state) when state == State.GATE_CLOSED -> new GateClosed(parts);
          default -> throw illegal("Opening");
        });
  }

  /** A gate that has closed stays closed; searches are still answered. */
  synchronized void started() {
    switch (now()) {
      case Opening(PrimaryParts parts) -> enter(new Started(parts));
      case GateClosed _ -> {}
      default -> throw illegal("Started");
    }
  }

  /** Returns whether the gate is the reason why no more is written; false after another end. */
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

  /** Returns whether it failed now; false when it had failed or was closed before. */
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
