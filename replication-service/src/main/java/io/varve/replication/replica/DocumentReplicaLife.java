package io.varve.replication.replica;

import io.varve.engine.ShardEngine;
import io.varve.host.CopyLife;
import io.varve.host.ShardCopy.State;
import java.util.Optional;

/**
 * The phases of a document replica.
 *
 * <pre>
 *   Empty -> Starting -> Opened -> Replaying -> Started    in this order
 *   Started -> Stalled                                     a record can't be read
 *   any but Closed -> Failed
 *   any -> Closed                                          for good
 * </pre>
 *
 * <p>A move from a phase that the table does not name throws. Other threads report failures and
 * unreadable records: a move that comes after a failure changes nothing, and its return value says
 * so.
 *
 * <p>INVARIANT: an engine and parts are never taken away; a phase that has them is followed by
 * phases that have the same.
 */
final class DocumentReplicaLife extends CopyLife<DocumentReplicaLife.Phase> {

  sealed interface Phase extends CopyLife.Phase {

    /** The engine, from the moment when it is open. */
    default Optional<ShardEngine> engine() {
      return parts().map(DocumentReplicaParts::engine);
    }

    /** The parts that apply, show and commit operations, once they exist. */
    default Optional<DocumentReplicaParts> parts() {
      return Optional.empty();
    }

    /** Why no more records are applied; empty while they are. */
    default Optional<String> stalledBy() {
      return Optional.empty();
    }
  }

  /** A phase of a copy that has its parts and has not ended. */
  sealed interface Working extends Phase {

    DocumentReplicaParts working();

    @Override
    default Optional<DocumentReplicaParts> parts() {
      return Optional.of(working());
    }
  }

  /** A phase that follows another and keeps what exists. */
  sealed interface Ended extends Phase {

    Phase before();

    @Override
    default Optional<ShardEngine> engine() {
      return before().engine();
    }

    @Override
    default Optional<DocumentReplicaParts> parts() {
      return before().parts();
    }

    @Override
    default Optional<String> stalledBy() {
      return before().stalledBy();
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

  /** The engine is open; no operation is applied. */
  record Opened(ShardEngine opened) implements Phase {
    @Override
    public State state() {
      return State.STARTING;
    }

    @Override
    public Optional<ShardEngine> engine() {
      return Optional.of(opened);
    }
  }

  /** Applies the operations up to the end that the log had at the start. */
  record Replaying(DocumentReplicaParts working) implements Working {
    @Override
    public State state() {
      return State.REPLAYING;
    }
  }

  /** Follows the log. */
  record Started(DocumentReplicaParts working) implements Working {
    @Override
    public State state() {
      return State.STARTED;
    }
  }

  /** Serves everything before a record that can't be read. */
  record Stalled(DocumentReplicaParts working, String reason) implements Working {
    @Override
    public State state() {
      return State.STARTED;
    }

    @Override
    public Optional<String> stalledBy() {
      return Optional.of(reason);
    }
  }

  /** Can't continue. */
  record Failed(Phase before) implements Ended {
    @Override
    public State state() {
      return State.FAILED;
    }
  }

  /** Everything is released. */
  record Closed(Phase before) implements Ended {
    @Override
    public State state() {
      return State.CLOSED;
    }
  }

  DocumentReplicaLife() {
    super(new Empty());
  }

  synchronized void starting() {
    if (!(now() instanceof Empty)) {
      throw illegal("Starting");
    }
    enter(new Starting());
  }

  synchronized void opened(ShardEngine engine) {
    if (!(now() instanceof Starting)) {
      throw illegal("Opened");
    }
    enter(new Opened(engine));
  }

  /** A copy whose applier has failed already still gets its parts, to be closed. */
  synchronized void replaying(DocumentReplicaParts parts) {
    switch (now()) {
      case Opened _ -> enter(new Replaying(parts));
      case Failed(Opened _) -> enter(new Failed(new Replaying(parts)));
      default -> throw illegal("Replaying");
    }
  }

  /** Returns false when the copy has failed. */
  synchronized boolean started() {
    return switch (now()) {
      case Replaying(DocumentReplicaParts parts) -> {
        enter(new Started(parts));
        yield true;
      }
      case Failed _ -> false;
      default -> throw illegal("Started");
    };
  }

  /** Returns false when the copy is not started: it has to fail instead. */
  synchronized boolean stalled(String reason) {
    if (now() instanceof Started(DocumentReplicaParts parts)) {
      enter(new Stalled(parts, reason));
    }
    return now() instanceof Stalled;
  }

  /** Returns the phase that the failure ended; empty when the copy had ended before. */
  synchronized Optional<Phase> failed() {
    Phase before = now();
    if (before instanceof Ended) {
      return Optional.empty();
    }
    enter(new Failed(before));
    return Optional.of(before);
  }

  /** Returns the phase before; empty when the copy was closed before. */
  synchronized Optional<Phase> closed() {
    Phase before = now();
    if (before instanceof Closed) {
      return Optional.empty();
    }
    enter(new Closed(before));
    return Optional.of(before);
  }
}
