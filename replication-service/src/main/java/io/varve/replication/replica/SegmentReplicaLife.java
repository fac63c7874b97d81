package io.varve.replication.replica;

import io.varve.host.CopyLife;
import io.varve.host.ShardCopy.State;
import java.util.Optional;

/**
 * The phases of a segment replica.
 *
 * <pre>
 *   Empty -> Starting -> Holding -> Copying -> Started     in this order
 *                                   Copying -> Opened -> Started
 *   any but Closing, Closed -> Failed
 *   any -> Closing -> Closed                               final
 * </pre>
 *
 * <p>A transition from a phase that is not in the table throws. Other threads report failures, so a
 * transition after a failure has no effect and returns false.
 *
 * <p>INVARIANT: parts are never removed; a phase that has them is followed only by phases with the
 * same ones.
 */
final class SegmentReplicaLife extends CopyLife<SegmentReplicaLife.Phase> {

  sealed interface Phase extends CopyLife.Phase {

    /** The parts, once the folder is open. */
    default Optional<ReplicaParts> parts() {
      return Optional.empty();
    }
  }

  /** A phase of a copy that has opened its folder and has not ended. */
  sealed interface Open extends Phase {

    ReplicaParts open();

    @Override
    default Optional<ReplicaParts> parts() {
      return Optional.of(open());
    }
  }

  /** A phase in which the copy waits for its first complete manifest. */
  sealed interface Building extends Open {}

  /** A phase without further work, which keeps the parts of the phase before it. */
  sealed interface Ended extends Phase {

    Phase before();

    @Override
    default Optional<ReplicaParts> parts() {
      return before().parts();
    }
  }

  /** Nothing is opened. */
  record Empty() implements Phase {
    @Override
    public State state() {
      return State.EMPTY;
    }
  }

  /** Opens the folder. */
  record Starting() implements Phase {
    @Override
    public State state() {
      return State.STARTING;
    }
  }

  /** Shows the manifest that the folder holds, if any; no manifest has been read from the log. */
  record Holding(ReplicaParts open) implements Open {
    @Override
    public State state() {
      return State.STARTING;
    }
  }

  /** Copies the newest manifest. */
  record Copying(ReplicaParts open) implements Building {
    @Override
    public State state() {
      return State.COPYING;
    }
  }

  /** Copies the newest manifest and shows it from remote files. */
  record Opened(ReplicaParts open) implements Building {
    @Override
    public State state() {
      return State.OPENED;
    }
  }

  /** Shows a manifest whose files are all local, and follows newer ones. */
  record Started(ReplicaParts open) implements Open {
    @Override
    public State state() {
      return State.STARTED;
    }
  }

  /** Cannot continue. */
  record Failed(Phase before) implements Ended {
    @Override
    public State state() {
      return State.FAILED;
    }
  }

  /** Ends its work; reported with the previous state. */
  record Closing(Phase before) implements Ended {
    @Override
    public State state() {
      return before.state();
    }
  }

  /** Everything is released. */
  record Closed(Phase before) implements Ended {
    @Override
    public State state() {
      return State.CLOSED;
    }
  }

  SegmentReplicaLife() {
    super(new Empty());
  }

  synchronized void starting() {
    if (!(now() instanceof Empty)) {
      throw illegal("Starting");
    }
    enter(new Starting());
  }

  /** A copy that has failed still gets its parts, so that they are closed. */
  synchronized void holding(ReplicaParts parts) {
    switch (now()) {
      case Starting _ -> enter(new Holding(parts));
      case Failed(Starting _) -> enter(new Failed(new Holding(parts)));
      default -> throw illegal("Holding");
    }
  }

  /** Returns false if the copy has failed. */
  synchronized boolean copying() {
    return switch (now()) {
      case Holding(ReplicaParts parts) -> {
        enter(new Copying(parts));
        yield true;
      }
      case Failed _ -> false;
      default -> throw illegal("Copying");
    };
  }

  /** Returns false if the copy is no longer Copying because another manifest is already open. */
  synchronized boolean opened() {
    return switch (now()) {
      case Copying(ReplicaParts parts) -> {
        enter(new Opened(parts));
        yield true;
      }
      case Opened _, Started _, Failed _, Closing _, Closed _ -> false;
      case Empty _, Starting _, Holding _ -> throw illegal("Opened");
    };
  }

  /** Returns whether the copy is started by this call. */
  synchronized boolean started() {
    return switch (now()) {
      case Building building -> {
        enter(new Started(building.open()));
        yield true;
      }
      case Started _, Failed _, Closing _, Closed _ -> false;
      case Empty _, Starting _, Holding _ -> throw illegal("Started");
    };
  }

  /** Returns the phase that the failure ended; empty if the copy had already ended. */
  synchronized Optional<Phase> failed() {
    Phase before = now();
    if (before instanceof Ended) {
      return Optional.empty();
    }
    enter(new Failed(before));
    return Optional.of(before);
  }

  /** Returns false if the copy is already being closed. */
  synchronized boolean closing() {
    if (now() instanceof Closing || now() instanceof Closed) {
      return false;
    }
    enter(new Closing(now()));
    return true;
  }

  synchronized void closed() {
    if (!(now() instanceof Closing(Phase before))) {
      throw illegal("Closed");
    }
    enter(new Closed(before));
  }
}
