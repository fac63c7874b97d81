package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.search.SearchRouter.Target;
import io.varve.search.ShardSearchRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The encoded shard requests of a search. Shards with the same filter share one encoding. */
final class ShardRequests {

  private final Map<Optional<String>, byte[]> encoded = new HashMap<>();

  ShardRequests(ShardSearchRequest request, List<Target> targets) {
    for (Target target : targets) {
      encoded.computeIfAbsent(
          Optional.ofNullable(target.filter()),
          filter -> request.narrowedBy(filter.orElse(null)).toBytes());
    }
  }

  byte[] of(Target target) {
    return Objects.requireNonNull(encoded.get(Optional.ofNullable(target.filter())));
  }
}
