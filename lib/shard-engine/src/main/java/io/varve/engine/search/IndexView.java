package io.varve.engine.search;

import io.varve.search.mapping.Mapping;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a search knows of the index that a shard is of. */
public record IndexView(String name, String uuid, Mapping mapping, Map<String, String> settings) {

  public IndexView {
    settings = Map.copyOf(settings);
  }

  /** An index with every setting at its default. */
  public static IndexView of(Mapping mapping) {
    return new IndexView("", "_na_", mapping, Map.of());
  }

  /** A setting's number: the index's own or the default. */
  int number(String setting, int otherwise) {
    @Nullable String own = settings.get(setting);
    return own == null ? otherwise : Integer.parseInt(own);
  }
}
