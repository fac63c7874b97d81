package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a copy to achieve one manifest. Pure state machine: the owner carries out its
 * steps and reports the results.
 *
 * <pre>
 *   PLANNING   -> FETCHING, INSTALLING   planned
 *   FETCHING   -> INSTALLING             the last file arrived
 *   INSTALLING -> DONE                   installed
 *   PLANNING, FETCHING -> SUPERSEDED     a newer manifest takes over
 *   PLANNING, FETCHING, INSTALLING -> FAILED
 * </pre>
 *
 * A newer manifest takes over if it has a newer term, because the primary of the older term may no
 * longer exist, or if it needs no more bytes than this round still needs. INVARIANT: within a term,
 * taking over never increases the missing bytes, so a round completes however fast manifests
 * arrive.
 *
 * <p>Not thread-safe: one owner.
 */
public final class CopyRound {

  public enum State {
    PLANNING,
    FETCHING,
    INSTALLING,
    DONE,
    SUPERSEDED,
    FAILED;

    public boolean ended() {
      return this == DONE || this == SUPERSEDED || this == FAILED;
    }
  }

  private final Manifest target;
  private final Deque<CopyPlan.Fetch> waiting = new ArrayDeque<>();
  private final Map<String, CopyPlan.Fetch> underWay = new LinkedHashMap<>();
  private final Map<String, SegmentFile> arrived = new LinkedHashMap<>();
  private final Map<String, Long> partialBytes = new HashMap<>();
  private State state = State.PLANNING;
  private @Nullable CopyPlan plan;
  private String failure = "";

  public CopyRound(Manifest target) {
    this.target = target;
  }

  public Manifest target() {
    return target;
  }

  public State state() {
    return state;
  }

  /** The reason for which the round failed; empty otherwise. */
  public String failure() {
    return failure;
  }

  /**
   * Makes the plan. The owner creates its links, then fetches the files returned by {@link
   * #takeNext}.
   */
  public CopyPlan planned(LocalFiles local) {
    return begin(CopyPlanner.plan(target, local));
  }

  private CopyPlan begin(CopyPlan made) {
    require(State.PLANNING);
    plan = made;
    waiting.addAll(made.fetches());
    state = waiting.isEmpty() ? State.INSTALLING : State.FETCHING;
    return made;
  }

  /** The next file to fetch; empty when all files have arrived or are being fetched. */
  public Optional<CopyPlan.Fetch> takeNext() {
    if (state != State.FETCHING || waiting.isEmpty()) {
      return Optional.empty();
    }
    CopyPlan.Fetch fetch = waiting.removeFirst();
    underWay.put(fetch.file().name(), fetch);
    return Optional.of(fetch);
  }

  /** Reports the bytes present of a file that is being fetched. */
  public void progressed(SegmentFile file, long presentBytes) {
    partialBytes.put(CopyPlanner.tempName(file), presentBytes);
  }

  /** Reports a complete, verified file. */
  public void arrived(SegmentFile file) {
    require(State.FETCHING);
    if (underWay.remove(file.name()) == null) {
      throw new IllegalStateException(file.name() + " was not being fetched");
    }
    partialBytes.remove(CopyPlanner.tempName(file));
    arrived.put(file.name(), file);
    if (waiting.isEmpty() && underWay.isEmpty()) {
      state = State.INSTALLING;
    }
  }

  /** The files that arrived in this round and in those that it took over from. */
  public List<SegmentFile> arrivedFiles() {
    return List.copyOf(arrived.values());
  }

  /** The bytes still to be transferred; 0 before the plan is made. */
  public long missingBytes() {
    long missing = 0;
    for (CopyPlan.Fetch fetch : waiting) {
      missing += fetch.missingBytes();
    }
    for (CopyPlan.Fetch fetch : underWay.values()) {
      long present =
          partialBytes.getOrDefault(CopyPlanner.tempName(fetch.file()), fetch.presentBytes());
      missing += fetch.file().lengthBytes() - present;
    }
    return missing;
  }

  /** Whether {@code newer} should take over from this round now. */
  public boolean shouldYieldTo(Manifest newer) {
    if (!newer.isNewerThan(target)) {
      return false;
    }
    return switch (state) {
      case PLANNING -> true;
      case FETCHING ->
          newer.term() > target.term() || carriedOver(newer).missingBytes() <= missingBytes();
      case INSTALLING, DONE, SUPERSEDED, FAILED -> false;
    };
  }

  /** Ends this round; the new one keeps the files that have arrived. */
  public CopyRound yieldTo(Manifest newer) {
    if (!newer.isNewerThan(target)) {
      throw new IllegalArgumentException("not newer than the manifest of this round");
    }
    require(State.PLANNING, State.FETCHING);
    CopyRound successor = new CopyRound(newer);
    if (state == State.FETCHING) {
      successor.begin(carriedOver(newer));
      successor.arrived.putAll(arrived);
    }
    state = State.SUPERSEDED;
    return successor;
  }

  private CopyPlan carriedOver(Manifest newer) {
    return CopyPlanner.carryOver(currentPlan(), arrived.values(), partialBytes, newer);
  }

  public void installed() {
    require(State.INSTALLING);
    state = State.DONE;
  }

  /** Fails this round; files that have arrived stay on disk for the next one. */
  public void failed(String reason) {
    require(State.PLANNING, State.FETCHING, State.INSTALLING);
    state = State.FAILED;
    failure = reason;
  }

  /** The plan of this round. */
  public CopyPlan currentPlan() {
    if (plan == null) {
      throw new IllegalStateException("not planned yet");
    }
    return plan;
  }

  private void require(State... expected) {
    for (State one : expected) {
      if (state == one) {
        return;
      }
    }
    throw new IllegalStateException("illegal in state " + state);
  }
}
