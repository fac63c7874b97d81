package io.varve.control;

import io.varve.cluster.NodeInfo;
import io.varve.control.AddressProbe.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which members have ended, long before the node timeout, by two independent signs: their
 * address refuses connections, and their heartbeats stopped. A suspended or overloaded process
 * shows the second sign only, because the kernel accepts connections for it. A process whose port
 * is blocked by a firewall shows the first one only.
 *
 * <pre>
 *   TRUSTED   -> SUSPECTED  a process reports that a connection to the member was refused or broke,
 *                           or no heartbeat arrived for the silence limit (then for twice that
 *                           time, and so on)
 *   SUSPECTED -> SUSPECTED  a probe was refused, but the rule for REMOVED does not hold yet:
 *                           probe again when it may hold, and not before the probe interval
 *   SUSPECTED -> REMOVED    two probes in succession were refused, and no heartbeat arrived for the
 *                           silence limit
 *   SUSPECTED -> TRUSTED    a probe was accepted or has no outcome, or a heartbeat arrived so long
 *                           after the suspicion that it was sent after it
 * </pre>
 *
 * After a suspicion that was wrong, reports about the process are ignored for some time; its
 * silence is not. INVARIANT: a suspicion is about one process (incarnation). It ends when another
 * process of the node joined, so a removal never names a process that was not probed.
 *
 * <p>Any decision is safe, because the fence of the next term excludes a primary that was removed
 * although it is alive. Not thread-safe.
 */
public final class FaultDetection {

  /** Probes in succession that must be refused. */
  private static final int REFUSALS = 2;

  /** For this multiple of the silence limit, reports about a trusted process are ignored. */
  private static final int TRUSTED_FOR_LIMITS = 10;

  /**
   * The limits of the rule.
   *
   * @param silenceMillis the time without heartbeats after which a member whose address refuses
   *     connections is removed
   * @param probeIntervalMillis the shortest time between two probes of a member
   */
  public record Limits(long silenceMillis, long probeIntervalMillis) {
    public Limits {
      if (silenceMillis < 1 || probeIntervalMillis < 1) {
        throw new IllegalArgumentException(
            "limits must be >= 1 ms, were " + silenceMillis + ", " + probeIntervalMillis);
      }
    }
  }

  /** The reason of a suspicion. */
  public enum Cause {
    /** A process reported a connection that was refused or broke. */
    DISCONNECTED,
    /** No heartbeat arrived. */
    SILENT
  }

  /** A process that may have ended; its first probe is due after the delay. */
  public record Suspect(NodeInfo node, Cause cause, long sinceMillis, long delayMillis) {}

  /** What follows from the outcome of a probe. */
  public sealed interface Verdict {

    /** The suspicion ended before the probe did. */
    record Outdated() implements Verdict {}

    /** Another probe is needed. */
    record Again(long delayMillis) implements Verdict {}

    /** The process has ended. */
    record Removed(long silentMillis) implements Verdict {}

    /** The process is not known to have ended. */
    record Trusted(String reason) implements Verdict {}
  }

  /** The suspicion of a process, and what follows from earlier ones. */
  private static final class Watch {
    final String incarnation;
    @Nullable Suspect suspect;
    int refusals;
    long ignoresReportsUntilMillis = Long.MIN_VALUE;
    long suspectedAtSilenceMillis;

    Watch(NodeInfo node, long silenceMillis) {
      this.incarnation = node.incarnation();
      this.suspectedAtSilenceMillis = silenceMillis;
    }
  }

  private final Limits limits;
  private final Map<String, Watch> watches = new HashMap<>();

  public FaultDetection(Limits limits) {
    this.limits = limits;
  }

  /**
   * Returns a new suspicion if the report causes one. A process that is ending closes its
   * connections one after the other, so the first probe waits.
   */
  public Optional<Suspect> disconnected(NodeInfo member, long nowMillis) {
    Watch watch = watch(member);
    if (watch.suspect != null || nowMillis < watch.ignoresReportsUntilMillis) {
      return Optional.empty();
    }
    return Optional.of(
        suspect(
            watch,
            new Suspect(member, Cause.DISCONNECTED, nowMillis, limits.probeIntervalMillis())));
  }

  /**
   * Returns new suspicions because of silence, and forgets processes that are no longer members.
   *
   * @param silentMillis for how long a member is silent
   */
  public List<Suspect> silent(
      Collection<NodeInfo> members, ToLongFunction<NodeInfo> silentMillis, long nowMillis) {
    watches.keySet().retainAll(members.stream().map(NodeInfo::nodeId).collect(Collectors.toSet()));
    List<Suspect> suspects = new ArrayList<>();
    for (NodeInfo member : members) {
      long silent = silentMillis.applyAsLong(member);
      if (silent >= limits.silenceMillis()) {
        Watch watch = watch(member);
        if (watch.suspect == null && silent >= watch.suspectedAtSilenceMillis) {
          watch.suspectedAtSilenceMillis = 2 * silent;
          suspects.add(suspect(watch, new Suspect(member, Cause.SILENT, nowMillis, 0)));
        }
      } else if (watches.containsKey(member.nodeId())) {
        watch(member).suspectedAtSilenceMillis = limits.silenceMillis();
      }
    }
    return suspects;
  }

  /**
   * Decides on the outcome of a probe.
   *
   * @param member the member of the suspect's id, null if there is none
   * @param heard the last sign of life of that node
   */
  public Verdict probed(
      Suspect suspect,
      Outcome outcome,
      @Nullable NodeInfo member,
      NodeSigns.Heard heard,
      long nowMillis) {
    Watch watch = watches.get(suspect.node().nodeId());
    if (watch == null || !suspect.equals(watch.suspect)) {
      return new Verdict.Outdated();
    }
    if (!suspect.node().equals(member)) {
      watches.remove(suspect.node().nodeId());
      return new Verdict.Outdated();
    }
    return switch (outcome) {
      case ACCEPTED -> trust(watch, "its address accepts connections", nowMillis);
      case UNKNOWN ->
          trust(watch, "its address neither accepts nor refuses connections", nowMillis);
      case REFUSED -> refused(watch, suspect, heard, nowMillis);
    };
  }

  private Verdict refused(Watch watch, Suspect suspect, NodeSigns.Heard heard, long nowMillis) {
    watch.refusals++;
    if (watch.refusals >= REFUSALS && heard.silentMillis() >= limits.silenceMillis()) {
      watches.remove(suspect.node().nodeId());
      return new Verdict.Removed(heard.silentMillis());
    }
    // A heartbeat that arrives soon after the suspicion may have been sent before the process
    // ended.
    if (heard.lastMillis() - suspect.sinceMillis() >= limits.silenceMillis()) {
      return trust(
          watch, "it sends heartbeats although its address refuses connections", nowMillis);
    }
    return new Verdict.Again(
        Math.max(limits.probeIntervalMillis(), limits.silenceMillis() - heard.silentMillis()));
  }

  private Verdict trust(Watch watch, String reason, long nowMillis) {
    watch.suspect = null;
    watch.ignoresReportsUntilMillis = nowMillis + TRUSTED_FOR_LIMITS * limits.silenceMillis();
    return new Verdict.Trusted(reason);
  }

  private static Suspect suspect(Watch watch, Suspect suspect) {
    watch.suspect = suspect;
    watch.refusals = 0;
    return suspect;
  }

  private Watch watch(NodeInfo member) {
    return watches.compute(
        member.nodeId(),
        (_, known) ->
            known != null && known.incarnation.equals(member.incarnation())
                ? known
                : new Watch(member, limits.silenceMillis()));
  }

  /** Forgets all suspicions, because this coordinator no longer leads. */
  public void forget() {
    watches.clear();
  }
}
