package io.varve.cluster;

import io.varve.process.Pem;
import io.varve.process.Revocations;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificates that the authorities of other clusters have revoked. */
final class RemoteRevocations {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteRevocations.class);

  /** The content of the files, and the decision about it. */
  private record Decided(String list, String authorities, Revocations revocations) {}

  private final Map<String, Decided> clusters = new HashMap<>();

  /**
   * Decides about the list of a cluster. A list that is refused is logged once; the previous list
   * stays in use.
   *
   * @param alias of the cluster
   * @param list in PEM
   * @param authorities in PEM
   * @throws IOException the list is refused, and there was none before it
   */
  synchronized Revocations of(String alias, String list, String authorities) throws IOException {
    Decided before = clusters.get(alias);
    if (before != null && before.list().equals(list) && before.authorities().equals(authorities)) {
      return before.revocations();
    }
    Revocations used = before == null ? Revocations.NONE : before.revocations();
    Revocations next =
        switch (used.next(list, Pem.certificates(authorities))) {
          case Revocations.Outcome.Accepted(Revocations accepted) -> accepted;
          case Revocations.Outcome.Refused(String reason) -> refused(alias, reason, before, used);
        };
    clusters.put(alias, new Decided(list, authorities, next));
    return next;
  }

  private static Revocations refused(
      String alias, String reason, @Nullable Decided before, Revocations used) throws IOException {
    if (before == null) {
      throw new IOException(
          "the revoked certificates of the cluster [" + alias + "] can't be used: " + reason);
    }
    LOG.error(
        "the list of revoked certificates of the cluster [{}] is refused, the previous list stays"
            + " in use: {}",
        alias,
        reason);
    return used;
  }
}
