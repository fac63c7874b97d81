package io.varve.shard.retention;

import io.varve.events.ManifestRecord;
import io.varve.log.RetentionPlanner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operations that clusters which follow a shard need, by their leases. A lease that was not
 * renewed within the period expires: a follower that is gone must not retain the log. If it returns
 * later, it copies the index again. Not thread-safe.
 */
final class FollowerNeeds {

  private record Lease(long fromOffset, long renewedMillis) {}

  private final Map<String, Lease> byHolder = new TreeMap<>();

  /** The next record of the shard's manifests, appended at that time. */
  void read(ManifestRecord record, long timestampMillis) {
    switch (record) {
      case ManifestRecord.Leased(var lease) ->
          byHolder.put(lease.holder(), new Lease(lease.fromOffset(), timestampMillis));
      case ManifestRecord.Released(var holder) -> byHolder.remove(holder);
      case ManifestRecord.Published _, ManifestRecord.Stored _, ManifestRecord.Nothing _ -> {}
    }
  }

  List<RetentionPlanner.Need> at(long nowMillis, long periodMillis) {
    return byHolder.entrySet().stream()
        .filter(entry -> nowMillis - entry.getValue().renewedMillis() <= periodMillis)
        .map(entry ->
            new RetentionPlanner.Need(
                "the follower " + entry.getKey(), entry.getValue().fromOffset()))
        .toList();
  }
}
