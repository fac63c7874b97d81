package io.varve.shard.replicated;

import io.varve.log.LogException;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication.Contradiction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contradictions that a primary met in this run: another copy says that it holds all operations
 * up to a record's seq_no, but has another version of the document, or none. The log decides which
 * of the two copies is wrong.
 *
 * <pre>
 *   OPEN              not compared with the log yet, or the log or the copy did not answer
 *   COPY_REBUILT      the log confirms the primary: the copy was told to begin again
 *   PRIMARY_REBUILT   the log denies the primary's version: the primary begins again
 *   UNDECIDED         the log is truncated there: the record stays unreplicated
 *
 *   OPEN -> any other; none leaves the other states
 * </pre>
 *
 * An open one is decided when it is met again. One is decided at a time, because that reads the
 * log; meanwhile others stay open. A copy that was told to begin again is not told twice. Keeps the
 * newest {@value #KEPT}. Thread-safe.
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

    LogEvidence.Verdict evidence(Version version) throws LogException;

    /** Tells the copy to begin again without its files. */
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

  /** A copy has another version than that one of the primary. Blocks if this one is decided. */
  void met(Version version, Member by) {
    Met met = new Met(version, by);
    if (open(met) && deciding.tryLock()) {
      try {
        decided(met, decide(met));
      } catch (IOException | LogException e) {
        LOG.warn("the contradiction of {} by {} is not decided yet", version, by, e);
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

  /** One contradiction is enough to rebuild a copy. */
  private State first(Met met) {
    boolean told =
        states.entrySet().stream()
            .anyMatch(e -> e.getKey().by().equals(met.by()) && e.getValue() == State.COPY_REBUILT);
    return told ? State.COPY_REBUILT : State.OPEN;
  }

  private State decide(Met met) throws IOException, LogException, InterruptedException {
    LogEvidence.Verdict evidence = shard.evidence(met.version());
    LOG.error(
        "copy {} has another version than {} of the primary; the log {} the primary",
        met.by().copyId(),
        met.version(),
        switch (evidence) {
          case CONFIRMS -> "confirms";
          case DENIES -> "denies";
          case SILENT -> "does not tell about";
        });
    return switch (evidence) {
      case CONFIRMS -> {
        shard.rebuild(
            met.by(),
            "it has another version than the log of [%s], seq_no %d"
                .formatted(met.version().id(), met.version().seqNo()));
        yield State.COPY_REBUILT;
      }
      case DENIES -> {
        shard.rebuildPrimary(
            "the log has another version of [%s] than seq_no %d"
                .formatted(met.version().id(), met.version().seqNo()));
        yield State.PRIMARY_REBUILT;
      }
      case SILENT -> State.UNDECIDED;
    };
  }

  private synchronized void decided(Met met, State state) {
    states.replaceAll((other, before) -> {
      boolean same = other.equals(met);
      boolean sameCopy = state == State.COPY_REBUILT && other.by().equals(met.by());
      return same || sameCopy ? state : before;
    });
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
