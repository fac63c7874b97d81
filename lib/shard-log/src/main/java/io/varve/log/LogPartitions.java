package io.varve.log;

/**
 * The partitions of a cluster's topics, by the state that the broker reports. A partition can count
 * in several states.
 *
 * @param total all partitions
 * @param offline without a leader: they can be neither written nor read
 * @param underReplicated with fewer replicas in sync than replicas
 * @param underMinIsr with fewer replicas in sync than {@code min.insync.replicas}: they refuse
 *     writes
 */
public record LogPartitions(long total, long offline, long underReplicated, long underMinIsr) {

  public static final LogPartitions NONE = new LogPartitions(0, 0, 0, 0);

  /** Returns the sum of both. */
  public LogPartitions and(LogPartitions other) {
    return new LogPartitions(
        total + other.total,
        offline + other.offline,
        underReplicated + other.underReplicated,
        underMinIsr + other.underMinIsr);
  }
}
