package io.varve.engine.search;

import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fetches one property of hits. Hits are visited in index order. */
interface HitPart {

  /** The property, or null if the hit has none. */
  ShardHit.@Nullable Part of(HitContext hit) throws IOException;

  /** Whether it requires the source. */
  default boolean needsSource() {
    return false;
  }

  /** The stored fields that it requires. */
  default Set<String> storedFields() {
    return Set.of();
  }
}
