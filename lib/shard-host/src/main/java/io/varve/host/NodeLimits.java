package io.varve.host;

import java.time.Duration;

/**
 * How long a node waits before it continues without an answer of another node, or before its own
 * work has finished. A later attempt, or the log, makes up for each wait that ends early, except
 * that of {@link Closing#appends}, which is a property. The other limits are therefore not
 * configurable; tests set longer ones, so that a paused thread does not change the outcome.
 *
 * @param mergeProgress for progress of a replica that fetches a merged segment
 */
public record NodeLimits(Answers answers, Duration mergeProgress, Closing closing) {

  public static final NodeLimits DEFAULT =
      new NodeLimits(
          new Answers(
              Duration.ofSeconds(2),
              Duration.ofSeconds(10),
              Duration.ofSeconds(5),
              Duration.ofSeconds(3),
              Duration.ofSeconds(5)),
          Duration.ofSeconds(10),
          Closing.of(Duration.ofSeconds(2)));

  /**
   * Limits of requests to other nodes.
   *
   * @param holds which versions a copy holds; in addition to the wait that the question asks for
   * @param rebuild the order to rebuild a copy
   * @param folder which operations a folder holds
   * @param handOver the last refresh of a former primary, and again until its successor shows it
   * @param merged whether a merged segment has arrived; in addition to the wait that the request
   *     asks for
   */
  public record Answers(
      Duration holds, Duration rebuild, Duration folder, Duration handOver, Duration merged) {}

  /**
   * Limits of the end of copies.
   *
   * @param appends appends in flight of a primary that closes; those without an answer have an
   *     unknown outcome
   * @param copy each copy of a node that closes
   */
  public record Closing(Duration appends, Duration copy) {

    /** The time for the other steps of closing a copy, such as its last commit. */
    private static final Duration OTHER_STEPS = Duration.ofSeconds(6);

    /** With the usual time for the other steps. */
    public static Closing of(Duration appends) {
      return new Closing(appends, appends.plus(OTHER_STEPS));
    }
  }

  /** The same limits with another one of copies that close. */
  public NodeLimits with(Closing changed) {
    return new NodeLimits(answers, mergeProgress, changed);
  }
}
