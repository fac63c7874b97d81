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
 *   any -> Closed                                          final
 * </pre>
 *
 * <p>A transition from a phase that is not in the table throws. Other threads report failures and
 * unreadable records: a transition after a failure has no effect, which its return value indicates.
 *
 * <p>INVARIANT: an engine and parts are never removed; a phase that has them is followed only by
 * phases with the same ones.
 */
final class DocumentReplicaLife extends CopyLife<DocumentReplicaLife.Phase> {

  sealed interface Phase extends CopyLife.Phase {

    /** The engine, once it is open. */
    default Optional<ShardEngine> engine() {
      return parts().map(DocumentReplicaParts::engine);
    }

    /** The parts that apply, show and commit operations, once they exist. */
    default Optional<DocumentReplicaParts> parts() {
      return Optional.empty();
    }

    /** Why no more records are applied; empty while records are applied. */
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

  /** A phase without further work, which keeps the engine and the parts of the phase before it. */
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

  /** Cannot continue. */
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

  /** A copy whose applier has already failed still gets its parts, so that they are closed. */
  synchronized void replaying(DocumentReplicaParts parts) {
    switch (now()) {
      case Opened _ -> enter(new Replaying(parts));
      case Failed(Opened _) -> enter(new Failed(new Replaying(parts)));
      default -> throw illegal("Replaying");
    }
  }

  /** Returns false if the copy has failed. */
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

  /** Returns false if the copy is not started: then it has to fail instead. */
  synchronized boolean stalled(String reason) {
    if (now() instanceof Started(DocumentReplicaParts parts)) {
      enter(new Stalled(parts, reason));
    }
    return now() instanceof Stalled;
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

  /** Returns the previous phase; empty if the copy was already closed. */
  synchronized Optional<Phase> closed() {
    Phase before = now();
    if (before instanceof Closed) {
      return Optional.empty();
    }
    enter(new Closed(before));
    return Optional.of(before);
  }
}
