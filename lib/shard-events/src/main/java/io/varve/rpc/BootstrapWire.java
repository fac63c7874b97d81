package io.varve.rpc;

import io.varve.events.Manifest;
import io.varve.events.RecordDigest;
import io.varve.events.StoredManifest;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of requests that bootstrap an empty shard of a follower: the puller's {@link Plan} in
 * {@code POST /ccr-bootstrap}, and the primary's {@link Status}, which answers both a plan and
 * {@code GET /ccr-bootstrap}.
 */
public final class BootstrapWire {

  private BootstrapWire() {}

  /** The phase of the primary. */
  public enum State {
    /** It waits for a plan; the reason explains why the previous plan could not be executed. */
    AWAITED,
    /** It copies the leader's segments. */
    COPYING,
    /** It waits for no plan. */
    BEGUN
  }

  /**
   * @param manifest the leader's manifest whose files are copied; null if the leader's log is
   *     replayed from its first record on
   * @param stored the location of the files in the leader's segment store; null if it lacks them
   * @param nodeUrl of the leader's node that published the manifest, if it is known
   * @param originDigest the {@link RecordDigest} of the record of the leader's log right before the
   *     manifest's {@code nextOffset}, {@link RecordDigest#UNKNOWN} if that is not known
   */
  public record Plan(
      @Nullable Manifest manifest,
      @Nullable StoredManifest stored,
      @Nullable String nodeUrl,
      long originDigest) {

    public static final Plan REPLAY = new Plan(null, null, null, RecordDigest.UNKNOWN);
  }

  /**
   * @param totalBytes of all files of the manifest, 0 before a plan
   * @param missingBytes of these that are not local yet
   * @param reason why the previous plan could not be executed; empty if it was not tried
   * @param mustCopy whether the shard must copy segments and must not replay the leader's log,
   *     because its content becomes visible as soon as the primary is started
   * @param leaderOffset the first record of the leader's log that the shard needs after a copy; a
   *     puller that takes over continues to renew the lease from there
   */
  public record Status(
      State state,
      long totalBytes,
      long missingBytes,
      String reason,
      boolean mustCopy,
      long leaderOffset) {

    public static final Status BEGUN = new Status(State.BEGUN, 0, 0, "", false, 0);

    public static Status awaited(String reason, boolean mustCopy) {
      return new Status(State.AWAITED, 0, 0, reason, mustCopy, 0);
    }

    public static Status copying(
        long totalBytes, long missingBytes, boolean mustCopy, long leaderOffset) {
      return new Status(State.COPYING, totalBytes, missingBytes, "", mustCopy, leaderOffset);
    }
  }
}
