package io.varve.shard.replicated;

import io.varve.log.LogException;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication.Contradiction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contradictions that a primary met in this run: another copy reports that it holds all
 * operations up to a record's seq_no, but has another version of the document, or none. The log
 * decides which of the two copies is wrong.
 *
 * <pre>
 *   OPEN              not compared with the log yet, or the log or the copy did not answer
 *   COPY_REBUILT      the log confirms the primary: the copy was notified and is rebuilt
 *   PRIMARY_REBUILT   the log contradicts the primary's version: the primary is rebuilt
 *   UNDECIDED         the log is truncated there: the record stays unreplicated
 *
 *   OPEN -> any other; UNDECIDED -> COPY_REBUILT, when another contradiction of that copy is decided
 * </pre>
 *
 * An open contradiction is decided when it is detected again. Only one is decided at a time,
 * because that reads the log; the others stay open. A copy is notified only once. Keeps the newest
 * {@value #KEPT}. Thread-safe.
 */
final class Contradictions {

  /** The state of a contradiction. */
  enum State {
    OPEN,
    COPY_REBUILT,
    PRIMARY_REBUILT,
    UNDECIDED;

    /** The name in statistics. */
    String shown() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The shown states in which no copy is rebuilt. */
  static final Set<String> UNDECIDED = Set.of(State.OPEN.shown(), State.UNDECIDED.shown());

  static final int KEPT = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Contradictions.class);

  /** The log and the copies of the shard. Calls may block. */
  interface Shard {

    /** One verdict for each version, in order. */
    List<LogEvidence.Verdict> evidence(List<Disputed> disputed) throws LogException;

    /** Requests that the copy be rebuilt without its files. */
    void rebuild(Member copy, String reason) throws IOException, InterruptedException;

    /** The same for the primary itself. */
    void rebuildPrimary(String reason);
  }

  private record Met(Version version, Member by) {}

  private final Shard shard;
  private final ReentrantLock deciding = new ReentrantLock();
  private final Map<Met, State> states = new LinkedHashMap<>();

  Contradictions(Shard shard) {
    this.shard = shard;
  }

  /**
   * Reports that a copy has other versions than these of the primary. Blocks while they are
   * decided. If there are more than {@value #KEPT}, the first ones are sufficient.
   */
  void met(List<Disputed> disputed, Member by) {
    List<Disputed> open =
        disputed.stream().limit(KEPT).filter(one -> open(new Met(one.version(), by))).toList();
    if (!open.isEmpty() && deciding.tryLock()) {
      try {
        decide(open, by);
      } catch (IOException | LogException e) {
        LOG.warn("the contradictions of {} by {} are not decided yet", open, by, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        deciding.unlock();
      }
    }
  }

  private synchronized boolean open(Met met) {
    State state = states.computeIfAbsent(met, this::first);
    if (states.size() > KEPT) {
      states.remove(states.keySet().iterator().next());
    }
    return state == State.OPEN;
  }

  /** One contradiction is sufficient to rebuild a copy. */
  private State first(Met met) {
    boolean told =
        states.entrySet().stream()
            .anyMatch(e -> e.getKey().by().equals(met.by()) && e.getValue() == State.COPY_REBUILT);
    return told ? State.COPY_REBUILT : State.OPEN;
  }

  private void decide(List<Disputed> open, Member by)
      throws IOException, LogException, InterruptedException {
    List<LogEvidence.Verdict> evidence = shard.evidence(open);
    Map<LogEvidence.Verdict, List<Disputed>> byVerdict = new EnumMap<>(LogEvidence.Verdict.class);
    for (int i = 0; i < open.size(); i++) {
      log(open.get(i).version(), by, evidence.get(i));
      byVerdict.computeIfAbsent(evidence.get(i), _ -> new ArrayList<>()).add(open.get(i));
    }
    decided(byVerdict.getOrDefault(LogEvidence.Verdict.SILENT, List.of()), by, State.UNDECIDED);
    List<Disputed> denied = byVerdict.getOrDefault(LogEvidence.Verdict.DENIES, List.of());
    if (!denied.isEmpty()) {
      shard.rebuildPrimary(reason("the log has another version of [%s] than", denied));
      decided(denied, by, State.PRIMARY_REBUILT);
    }
    List<Disputed> confirmed = byVerdict.getOrDefault(LogEvidence.Verdict.CONFIRMS, List.of());
    if (!confirmed.isEmpty()) {
      shard.rebuild(by, reason("it has another version than the log of [%s],", confirmed));
      decided(confirmed, by, State.COPY_REBUILT);
    }
  }

  private static void log(Version version, Member by, LogEvidence.Verdict evidence) {
    LOG.error(
        "copy {} has another version than the primary's {}; the log {}",
        by.copyId(),
        version,
        switch (evidence) {
          case CONFIRMS -> "confirms the primary";
          case DENIES -> "contradicts the primary";
          case SILENT -> "no longer shows which one is right";
        });
  }

  /** Names only the first one. */
  private static String reason(String beginning, List<Disputed> disputed) {
    Version version = disputed.getFirst().version();
    return beginning.formatted(version.id()) + " seq_no " + version.seqNo();
  }

  private void decided(List<Disputed> disputed, Member by, State state) {
    disputed.forEach(one -> decided(new Met(one.version(), by), state));
  }

  private synchronized void decided(Met met, State state) {
    states.replaceAll((other, before) -> {
      boolean same = other.equals(met);
      boolean sameCopy =
          state == State.COPY_REBUILT
              && other.by().equals(met.by())
              && before != State.PRIMARY_REBUILT;
      return same || sameCopy ? state : before;
    });
  }

  /** Whether one is not compared with the log yet. */
  synchronized boolean hasOpen() {
    return states.containsValue(State.OPEN);
  }

  /** All that are kept, oldest first. */
  synchronized List<Contradiction> list() {
    List<Contradiction> list = new ArrayList<>();
    states.forEach((met, state) ->
        list.add(
            new Contradiction(
                met.version().id(),
                met.version().seqNo(),
                met.version().term(),
                met.by().copyId(),
                state.shown())));
    return list;
  }
}
