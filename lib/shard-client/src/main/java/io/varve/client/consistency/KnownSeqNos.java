package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterStateSource;
import io.varve.events.CopyProgress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last known visible seq_no of each copy: from its progress records, and from its answers,
 * which are newer. The values serve for ranking only: a copy may show more, or be restarted.
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

  /** Records the visible seq_no in a copy's answer. */
  public synchronized void heard(CopyAddress copy, long seqNo) {
    heard.merge(copy.copy().copyId(), seqNo, Math::max);
  }

  /** -1 if unknown. */
  public long of(CopyAddress copy) {
    String copyId = copy.copy().copyId();
    long reported = cluster.progress(copyId).map(CopyProgress::visibleSeqNo).orElse(-1L);
    synchronized (this) {
      return Math.max(reported, heard.getOrDefault(copyId, -1L));
    }
  }
}
