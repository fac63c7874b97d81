package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import java.util.Optional;

/**
 * How busy the searches of a node are, as it says with each answer to one, errors and refusals too:
 * in the header {@code Varve-Load}.
 *
 * <pre>
 *   1;took;queued;running;workers;average;slowness;trust;age
 * </pre>
 *
 * <p>The number of the format comes first; a format that is not known says nothing. The request
 * that is answered is not among those under way.
 *
 * @param tookNanos how long a worker had the search that is answered, -1 where that says nothing
 * @param queue what is under way
 * @param times how long searches take
 */
public record NodeLoad(long tookNanos, Queue queue, Times times) {

  private static final System.Logger LOG = System.getLogger(NodeLoad.class.getName());
  private static final String FORMAT = "1";
  private static final int PARTS = 9;

  /**
   * @param waiting searches that wait for a worker
   * @param running searches that have one
   * @param workers how many can run at the same time
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
   * @param averageNanos moving average of what searches take, 0 for none yet
   * @param slowness what they take in multiples of what callers expected, negative while unknown
   * @param trust samples behind that since the node was idle
   * @param ageNanos since the last of these
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

  /** What a header says; nothing where it is of another format, or damaged. */
  public static Optional<NodeLoad> said(String header) {
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
