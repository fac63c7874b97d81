package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import java.util.Optional;

/**
 * The load of a node's search executor, sent in the header {@code Varve-Load} of every search
 * response, errors and rejections included.
 *
 * <pre>
 *   1;took;queued;running;workers;average;slowness;trust;age
 * </pre>
 *
 * <p>The first field is the format version; unknown formats are ignored. The answered request
 * itself is not counted as queued or running.
 *
 * @param tookNanos execution time of the answered search, -1 if it is not meaningful
 * @param queue state of the queue
 * @param times execution times
 */
public record NodeLoad(long tookNanos, Queue queue, Times times) {

  private static final System.Logger LOG = System.getLogger(NodeLoad.class.getName());
  private static final String FORMAT = "1";
  private static final int PARTS = 9;

  /**
   * @param waiting searches waiting for a worker
   * @param running searches being executed
   * @param workers maximum concurrent searches
   */
  public record Queue(int waiting, int running, int workers) {

    public Queue {
      if (waiting < 0 || running < 0 || workers < 1) {
        throw new IllegalArgumentException(
            "a load is of 0 or more searches on 1 or more workers: %d, %d on %d"
                .formatted(waiting, running, workers));
      }
    }
  }

  /**
   * @param averageNanos moving average of execution times, 0 for none yet
   * @param slowness execution time as a multiple of the callers' expectation, negative while
   *     unknown
   * @param trust samples of slowness since the node was last idle
   * @param ageNanos time since the last sample
   */
  public record Times(long averageNanos, double slowness, int trust, long ageNanos) {

    public Times {
      if (averageNanos < 0 || !Double.isFinite(slowness) || trust < 0 || ageNanos < 0) {
        throw new IllegalArgumentException(
            "times and counts of searches are not negative: %d, %s, %d, %d"
                .formatted(averageNanos, slowness, trust, ageNanos));
      }
    }
  }

  public String toHeader() {
    return String.join(
        ";",
        FORMAT,
        Long.toString(tookNanos),
        Integer.toString(queue.waiting),
        Integer.toString(queue.running),
        Integer.toString(queue.workers),
        Long.toString(times.averageNanos),
        Double.toString(times.slowness),
        Integer.toString(times.trust),
        Long.toString(times.ageNanos));
  }

  /** Parses a header; empty if the format is unknown or the header is damaged. */
  public static Optional<NodeLoad> tryParse(String header) {
    if (!header.startsWith(FORMAT + ";")) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(header));
    } catch (MalformedRecordException e) {
      LOG.log(System.Logger.Level.DEBUG, "a load that can't be read", e);
      return Optional.empty();
    }
  }

  public static NodeLoad of(String header) {
    String[] parts = header.split(";", -1);
    if (parts.length != PARTS || !parts[0].equals(FORMAT)) {
      throw new MalformedRecordException("not a load of a node: [" + header + "]");
    }
    try {
      return new NodeLoad(
          Long.parseLong(parts[1]),
          new Queue(
              Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), Integer.parseInt(parts[4])),
          new Times(
              Long.parseLong(parts[5]),
              Double.parseDouble(parts[6]),
              Integer.parseInt(parts[7]),
              Long.parseLong(parts[8])));
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException("not a load of a node: [" + header + "]: " + e);
    }
  }
}
