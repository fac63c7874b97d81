package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A query to all copies whether they hold one version, shared by all requests that wait for the
 * outcome.
 */
public final class Confirmation {

  /** The outcome of a query. */
  public sealed interface Outcome {

    /** Every copy holds the version. */
    record Replicated() implements Outcome {}

    /**
     * A copy holds a later version: this primary must catch up, or has a successor.
     *
     * @param ofLaterTerm whether the copy follows a later primary, whatever it holds
     */
    record Newer(Member by, boolean ofLaterTerm) implements Outcome {}

    /** A copy can't answer the query, because its process is of an older release. */
    record Unable(Member by) implements Outcome {}

    /** A copy claims to hold all operations up to the version, but has another one. */
    record Contradicted(Member by) implements Outcome {}

    /** Not all copies answered in time. */
    record OutOfTime() implements Outcome {}
  }

  private final Version version;
  private final long deadlineMillis;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final Set<Opening> holders = new HashSet<>();
  private final Set<Opening> asked = new HashSet<>();
  private int waiters;

  Confirmation(Version version, long deadlineMillis) {
    this.version = version;
    this.deadlineMillis = deadlineMillis;
  }

  public Version version() {
    return version;
  }

  public CompletableFuture<Outcome> outcome() {
    return outcome;
  }

  long deadlineMillis() {
    return deadlineMillis;
  }

  /** Adds a waiter unless there are that many already. */
  boolean join(int mostWaiters) {
    if (waiters >= mostWaiters) {
      return false;
    }
    waiters++;
    return true;
  }

  void heldBy(Opening opening) {
    holders.add(opening);
  }

  boolean isHeldBy(Set<Opening> openings) {
    return holders.containsAll(openings);
  }

  /** Whether the member has to be asked in this opening; it then counts as asked. */
  boolean ask(Opening opening) {
    return !holders.contains(opening) && asked.add(opening);
  }

  /** The member may be asked again. */
  void unanswered(Opening opening) {
    asked.remove(opening);
  }
}
