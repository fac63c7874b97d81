package io.varve.control;

/**
 * The time in which a coordinator provably received heartbeats. The proof is that its own
 * heartbeats return: it appends each of them to every partition of the topic and reads it there. A
 * node is silent only for such time.
 *
 * <pre>
 *   own heartbeats      |----|----|                        |----|----|----|
 *   received            |=========|                        |==============|
 *   a member            x                                                    silent since |
 *                                  no evidence: the log,
 *                                  or this process, waits
 * </pre>
 *
 * Per partition, two own heartbeats that return within the limit prove the time between them. After
 * a longer gap, reception begins again, so each node has its full timeout from then on. Time since
 * the last own heartbeat proves nothing yet. The end of a partition is no proof: while a broker
 * fails over, records are appended that no consumer may read yet, and the end that a broker
 * announces to consumers does not move.
 */
final class Reception {

  private record Proven(long sinceMillis, long untilMillis) {}

  /** By partition; null before the first own heartbeat has returned. */
  private final Proven[] proven;

  private final long limitMillis;

  /**
   * @param limitMillis the longest gap between two own heartbeats of uninterrupted reception
   */
  Reception(int partitions, long limitMillis) {
    this.proven = new Proven[partitions];
    this.limitMillis = limitMillis;
  }

  /** An own heartbeat returned; returns whether reception of the partition begins with it. */
  synchronized boolean returned(int partition, long nowMillis) {
    Proven last = proven[partition];
    boolean begins = last == null || nowMillis - last.untilMillis() > limitMillis;
    proven[partition] = new Proven(begins ? nowMillis : last.sinceMillis(), nowMillis);
    return begins;
  }

  /**
   * Returns for how long a node is silent in that partition.
   *
   * @param heardMillis when its last heartbeat arrived
   */
  synchronized long silentMillis(int partition, long heardMillis) {
    Proven time = proven[partition];
    return time == null
        ? 0
        : Math.max(0, time.untilMillis() - Math.max(time.sinceMillis(), heardMillis));
  }

  /** The same for a node that sends each heartbeat to every partition. */
  long longestSilentMillis(long heardMillis) {
    long longest = 0;
    for (int partition = 0; partition < proven.length; partition++) {
      longest = Math.max(longest, silentMillis(partition, heardMillis));
    }
    return longest;
  }
}
