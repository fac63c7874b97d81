package io.varve.engine.search;

import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one property of hits, which come in the order of the index. */
interface HitPart {

  /** The property, or null where a hit has none. */
  ShardHit.@Nullable Part of(HitContext hit) throws IOException;

  /** Whether it is made of the source. */
  default boolean needsSource() {
    return false;
  }

  /** The stored fields that it is made of. */
  default Set<String> storedFields() {
    return Set.of();
  }
}
