package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fetches the fields of a hit whose malformed values were ignored. */
final class IgnoredPart implements HitPart {

  @Override
  public Set<String> storedFields() {
    return Set.of(MetaFields.IGNORED);
  }

  @Override
  public ShardHit.@Nullable Part of(HitContext hit) {
    List<Object> names = hit.stored.get(MetaFields.IGNORED);
    return names == null ? null : new ShardHit.Part(MetaFields.IGNORED, Json.write(names));
  }
}
