package io.varve.shard.retention;

import io.varve.events.ManifestRecord;
import io.varve.log.RetentionPlanner.Need;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes, on the primary of a shard, which operations a reader may still have to read. The result
 * is the input of {@link io.varve.log.RetentionPlanner}.
 *
 * <pre>
 *   reader                        from which offset              if unknown
 *   the primary                   its last durable commit        keep all
 *   a new copy                    the newest published manifest  keep all
 *   a replica that has a node     its last durable commit        keep all
 *   a search-only copy              the manifest that it shows     ignored
 *   a copy that lost its node     its last known commit, for     keep all, for the grace
 *                                 the grace, or until all
 *                                 copies are started
 *   the segment store, if used    the newest manifest in it      keep all
 *   a following cluster           its lease, until it ends       ignored
 *   the former leader of a        its lease, from the fork on    keep all, until the fork is
 *     promoted index                                             recorded
 * </pre>
 *
 * Without a segment store, {@code minCopies} copies on different nodes, including the primary, must
 * also have an operation in a durable commit, because after truncation only the copies have it.
 *
 * <p>INVARIANTS: an offset below every need is never read again by a copy that may become the
 * primary; if an offset is unknown, the whole log is kept. The caller first reads the routing up to
 * the end of the cluster log, then the primary's and the published offset, and then asks the
 * copies. A copy that is allocated later starts from a manifest at least as new as the published
 * one, or commits what it replays before it is started.
 *
 * <p>Times are parameters. Not thread-safe.
 */
public final class LogNeeds {

  /** The offset of a copy that did not answer, or of a store that holds nothing. */
  public static final long UNKNOWN = -1;

  /** The role of a copy. */
  public enum Role {
    PRIMARY,
    REPLICA,
    SEARCH
  }

  /**
   * A copy of the shard in the routing, or the target of a relocation.
   *
   * @param nodeId {@code null} for a copy without a node
   * @param started whether the copy is started
   * @param durableOffset the first offset that it would replay after a restart, or {@link #UNKNOWN}
   */
  public record Copy(
      String copyId, Role role, @Nullable String nodeId, boolean started, long durableOffset) {

    boolean isPlaced() {
      return nodeId != null;
    }

    boolean isKnown() {
      return durableOffset != UNKNOWN;
    }

    boolean holdsDurably() {
      return role != Role.SEARCH && started && isPlaced() && isKnown();
    }
  }

  /**
   * The state of a shard at one time.
   *
   * @param publishedOffset of the newest manifest that is in the log, or {@link #UNKNOWN}
   * @param storedOffset of the newest manifest in the segment store, or {@link #UNKNOWN}; {@code
   *     null} for an index that has no segment store
   * @param leases the first offset that each follower's lease in the cluster log retains, by
   *     holder; -1 if it retains nothing
   * @param awaitsFork whether the index was promoted and the fork of this shard, with its lease, is
   *     not recorded yet
   */
  public record Shard(
      List<Copy> copies,
      long publishedOffset,
      @Nullable Long storedOffset,
      Map<String, Long> leases,
      boolean awaitsFork) {
    public Shard {
      copies = List.copyOf(copies);
      leases = Collections.unmodifiableSortedMap(new TreeMap<>(leases));
    }

    /** Of an index whose forks, if any, are recorded. */
    public Shard(
        List<Copy> copies,
        long publishedOffset,
        @Nullable Long storedOffset,
        Map<String, Long> leases) {
      this(copies, publishedOffset, storedOffset, leases, false);
    }

    /** Without leases in the cluster log. */
    public Shard(List<Copy> copies, long publishedOffset, @Nullable Long storedOffset) {
      this(copies, publishedOffset, storedOffset, Map.of());
    }
  }

  /**
   * The retention rules of an index.
   *
   * @param minCopies nodes that must hold an operation when there is no segment store
   * @param graceMillis time for which a copy whose node left retains operations
   * @param leasePeriodMillis time for which a lease that is not renewed retains operations
   */
  public record Rules(int minCopies, long graceMillis, long leasePeriodMillis) {}

  /** The needs of all readers. */
  public sealed interface Needs {

    /** All needs are known. */
    record Known(List<Need> needs) implements Needs {
      public Known {
        needs = List.copyOf(needs);
      }
    }

    /** All operations must be kept, for this reason. */
    record Everything(String reason) implements Needs {}
  }

  private record Away(long durableOffset, long sinceMillis) {}

  private final FollowerNeeds followers = new FollowerNeeds();
  private final Map<String, Long> lastKnown = new HashMap<>();
  private final Map<String, Away> away = new TreeMap<>();

  /** Reads the next record of the shard's manifests topic, appended at that time. */
  public void read(ManifestRecord record, long timestampMillis) {
    followers.read(record, timestampMillis);
  }

  /** The needs at that time; calls pass increasing times. */
  public Needs at(Shard shard, Rules rules, long nowMillis) {
    remember(shard, rules, nowMillis);
    return keepsAll(shard, rules, nowMillis)
        .<Needs>map(Needs.Everything::new)
        .orElseGet(() -> new Needs.Known(needs(shard, rules, nowMillis)));
  }

  /**
   * Records which copies have lost their nodes, and removes those that no longer retain operations.
   */
  private void remember(Shard shard, Rules rules, long nowMillis) {
    Set<String> routed = new HashSet<>();
    Set<String> placed = new HashSet<>();
    for (Copy copy : shard.copies()) {
      if (copy.role() == Role.SEARCH) {
        continue;
      }
      routed.add(copy.copyId());
      if (!copy.isPlaced()) {
        leaves(copy.copyId(), nowMillis);
        continue;
      }
      placed.add(copy.copyId());
      if (copy.isKnown()) {
        lastKnown.put(copy.copyId(), copy.durableOffset());
      }
    }
    lastKnown.keySet().stream()
        .filter(copyId -> !routed.contains(copyId))
        .forEach(copyId -> leaves(copyId, nowMillis));
    lastKnown.keySet().retainAll(placed);
    away.keySet().removeAll(placed);
    if (isComplete(shard)) {
      away.clear();
    }
    away.entrySet()
        .removeIf(entry ->
            !routed.contains(entry.getKey()) && !isWithinGrace(entry.getValue(), rules, nowMillis));
  }

  private void leaves(String copyId, long nowMillis) {
    away.putIfAbsent(copyId, new Away(lastKnown.getOrDefault(copyId, UNKNOWN), nowMillis));
  }

  private static boolean isComplete(Shard shard) {
    return shard.copies().stream()
        .allMatch(copy -> copy.role() == Role.SEARCH || copy.holdsDurably());
  }

  private static boolean isWithinGrace(Away copy, Rules rules, long nowMillis) {
    return nowMillis - copy.sinceMillis() < rules.graceMillis();
  }

  private Optional<String> keepsAll(Shard shard, Rules rules, long nowMillis) {
    if (shard.publishedOffset() == UNKNOWN) {
      return Optional.of("no manifest is published");
    }
    if (shard.awaitsFork()) {
      return Optional.of("the fork of the promoted index is not recorded yet");
    }
    for (Copy copy : shard.copies()) {
      if (copy.role() != Role.SEARCH && copy.isPlaced() && !copy.isKnown()) {
        return Optional.of("it is not known what " + copy.copyId() + " holds");
      }
    }
    for (Map.Entry<String, Away> entry : away.entrySet()) {
      if (entry.getValue().durableOffset() == UNKNOWN
          && isWithinGrace(entry.getValue(), rules, nowMillis)) {
        return Optional.of("it is not known what " + entry.getKey() + ", without a node, holds");
      }
    }
    Long stored = shard.storedOffset();
    if (stored != null) {
      return stored == UNKNOWN
          ? Optional.of("the segment store holds nothing yet")
          : Optional.empty();
    }
    long holders = holders(shard);
    return holders < rules.minCopies()
        ? Optional.of(holders + " of the required " + rules.minCopies() + " nodes hold it durably")
        : Optional.empty();
  }

  private static long holders(Shard shard) {
    return shard.copies().stream().filter(Copy::holdsDurably).map(Copy::nodeId).distinct().count();
  }

  private List<Need> needs(Shard shard, Rules rules, long nowMillis) {
    List<Need> needs =
        new ArrayList<>(followers.at(nowMillis, rules.leasePeriodMillis(), shard.leases()));
    needs.add(new Need("a new copy", shard.publishedOffset()));
    Long stored = shard.storedOffset();
    if (stored != null) {
      needs.add(new Need("the segment store", stored));
    }
    shard.copies().stream()
        .filter(copy -> copy.isPlaced() && copy.isKnown())
        .forEach(copy -> needs.add(new Need("copy " + copy.copyId(), copy.durableOffset())));
    away.forEach((copyId, copy) -> {
      if (copy.durableOffset() != UNKNOWN && isWithinGrace(copy, rules, nowMillis)) {
        needs.add(new Need("copy " + copyId + " without a node", copy.durableOffset()));
      }
    });
    return needs;
  }
}
