package io.varve.shard.retention;

import io.varve.events.ManifestRecord;
import io.varve.log.RetentionPlanner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes from the leases on a shard which operations followers in other clusters need. A lease
 * that is not renewed within the period expires, so a follower that no longer exists does not
 * retain the log. A follower that returns later copies the index again. Not thread-safe.
 */
final class FollowerNeeds {

  private record Lease(long fromOffset, long renewedMillis) {}

  private final Map<String, Lease> byHolder = new TreeMap<>();

  /** Reads the next record of the shard's manifests topic, appended at that time. */
  void read(ManifestRecord record, long timestampMillis) {
    switch (record) {
      case ManifestRecord.Leased(var lease) ->
          byHolder.put(lease.holder(), new Lease(lease.fromOffset(), timestampMillis));
      case ManifestRecord.Released(var holder) -> byHolder.remove(holder);
      case ManifestRecord.Published _,
          ManifestRecord.Stored _,
          ManifestRecord.Replicated _,
          ManifestRecord.Nothing _ -> {}
    }
  }

  /**
   * @param recorded the first offset that each lease in the cluster log retains, by holder; -1 if
   *     it retains nothing
   */
  List<RetentionPlanner.Need> at(long nowMillis, long periodMillis, Map<String, Long> recorded) {
    Map<String, Long> fromOffsets = new TreeMap<>(recorded);
    byHolder.forEach((holder, lease) -> {
      if (nowMillis - lease.renewedMillis() <= periodMillis) {
        fromOffsets.putIfAbsent(holder, lease.fromOffset());
      }
    });
    return fromOffsets.entrySet().stream()
        .filter(entry -> entry.getValue() >= 0)
        .map(entry -> new RetentionPlanner.Need("the follower " + entry.getKey(), entry.getValue()))
        .toList();
  }
}
