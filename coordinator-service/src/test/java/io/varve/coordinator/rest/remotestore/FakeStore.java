package io.varve.coordinator.rest.remotestore;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.ApiException;
import io.varve.rpc.StoredIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A segment store whose content the test sets. */
public final class FakeStore implements StoreReader {

  public final List<StoredIndex> stored = new ArrayList<>();
  public final List<Leftover> leftovers = new ArrayList<>();

  @Override
  public List<StoredIndex.Entry> indices(Duration timeout) {
    return stored.stream()
        .map(index -> new StoredIndex.Entry(index.name(), index.uuid(), index.createdMillis()))
        .toList();
  }

  @Override
  public StoredIndex index(String uuid, Duration timeout) {
    return stored.stream()
        .filter(index -> index.uuid().equals(uuid))
        .findFirst()
        .orElseThrow(() -> new ApiException(404, "resource_not_found_exception", uuid));
  }

  @Override
  public List<StoredManifest> points(ShardId shard, Duration timeout) {
    return stored.stream()
        .filter(index -> index.uuid().equals(shard.indexUuid()))
        .flatMap(index -> index.shards().stream())
        .filter(point -> point.shard().equals(shard))
        .toList();
  }

  @Override
  public List<Leftover> garbage(boolean dryRun, Duration timeout) {
    List<Leftover> answered =
        dryRun
            ? List.copyOf(leftovers)
            : leftovers.stream().filter(one -> one.dueInMillis() == 0).toList();
    if (!dryRun) {
      leftovers.removeAll(answered);
    }
    return answered;
  }
}
