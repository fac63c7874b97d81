package io.varve.engine.search;

import io.varve.search.mapping.Mapping;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The index metadata that a search needs. */
public record IndexView(String name, String uuid, Mapping mapping, Map<String, String> settings) {

  public IndexView {
    settings = Map.copyOf(settings);
  }

  /** An index with default settings. */
  public static IndexView of(Mapping mapping) {
    return new IndexView("", "_na_", mapping, Map.of());
  }

  /** A numeric setting of the index, or its default. */
  int number(String setting, int otherwise) {
    @Nullable String own = settings.get(setting);
    return own == null ? otherwise : Integer.parseInt(own);
  }
}
