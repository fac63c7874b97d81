package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterStateSource;
import io.varve.events.CopyProgress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What copies were last heard to show: from their own word in the log of progress, and from their
 * answers, which come sooner. It ranks copies and vouches for none.
 */
public final class KnownSeqNos {

  private static final int MOST_COPIES = 10_000;

  private final ClusterStateSource cluster;
  private final Map<String, Long> heard =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_COPIES;
        }
      };

  public KnownSeqNos(ClusterStateSource cluster) {
    this.cluster = cluster;
  }

  /** The copy answered with what it shows. */
  public synchronized void heard(CopyAddress copy, long seqNo) {
    heard.merge(copy.copy().copyId(), seqNo, Math::max);
  }

  /** -1 for nothing. */
  public long of(CopyAddress copy) {
    String copyId = copy.copy().copyId();
    long said = cluster.progress(copyId).map(CopyProgress::visibleSeqNo).orElse(-1L);
    synchronized (this) {
      return Math.max(said, heard.getOrDefault(copyId, -1L));
    }
  }
}
