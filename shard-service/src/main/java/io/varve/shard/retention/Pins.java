package io.varve.shard.retention;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The commits that the primary of a shard has pinned for its followers, and the rules for them:
 *
 * <pre>
 *   kept, by lease  the newest one that is not past the lease's offset, and the next one, which
 *                   replaces it when the lease has advanced
 *   kept also       the newest one
 *   the log         is retained from the newest one that is not past the lease's offset
 *   a failback      continues from the newest one without an operation after the fork
 * </pre>
 *
 * No I/O.
 */
public record Pins(List<Pin> pins) {

  /**
   * A pinned commit: its content is a prefix of the log up to at most {@code maxSeqNo}, with all
   * operations before {@code nextOffset}.
   */
  public record Pin(long nextOffset, long maxSeqNo) {}

  public Pins {
    pins = List.copyOf(pins);
  }

  /** The offsets from which leases in force retain the log of that shard of the index. */
  public static List<Long> leases(IndexMetadata index, int shard) {
    return index.leases().values().stream()
        .filter(RetentionLease::isActive)
        .map(lease -> lease.retainedFrom(shard))
        .filter(offset -> offset >= 0)
        .toList();
  }

  /** Whether a commit at that offset is pinned. */
  public boolean has(long nextOffset) {
    return offsets().contains(nextOffset);
  }

  /** The pins that leases from these offsets on need. */
  public Pins kept(Collection<Long> leases) {
    Set<Long> kept = keptOffsets(leases);
    return new Pins(pins.stream().filter(pin -> kept.contains(pin.nextOffset())).toList());
  }

  private Set<Long> keptOffsets(Collection<Long> leases) {
    NavigableSet<Long> offsets = offsets();
    Set<Long> kept = new TreeSet<>();
    if (offsets.isEmpty() || leases.isEmpty()) {
      return kept;
    }
    kept.add(offsets.last());
    for (long lease : leases) {
      Long pinned = offsets.floor(lease);
      Long next = offsets.higher(lease);
      if (pinned != null) {
        kept.add(pinned);
      }
      if (next != null) {
        kept.add(next);
      }
    }
    return kept;
  }

  /** The offset from which the log is needed for a lease at that offset; negative for none. */
  public long neededFrom(long leaseOffset) {
    Long pinned = leaseOffset < 0 ? null : offsets().floor(leaseOffset);
    return pinned == null ? leaseOffset : pinned;
  }

  /**
   * The newest pin with no operation after a position.
   *
   * @param mostOffset the pin has all operations before at most this offset
   */
  public Optional<Pin> newest(long mostOffset, long mostSeqNo) {
    return pins.stream()
        .filter(pin -> pin.nextOffset() <= mostOffset && pin.maxSeqNo() <= mostSeqNo)
        .max(Comparator.comparingLong(Pin::nextOffset));
  }

  private NavigableSet<Long> offsets() {
    return pins.stream().map(Pin::nextOffset).collect(Collectors.toCollection(TreeSet::new));
  }
}
