package io.varve.search.aggregation.result;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Final results of sibling aggregations. */
public record Results(List<Named> list) {

  public static final Results NONE = new Results(List.of());

  /**
   * @param meta user data that is returned with the result, or null
   */
  public record Named(String name, Result result, @Nullable Map<String, @Nullable Object> meta) {
    public Named {
      meta = meta == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(meta));
    }
  }

  public Results {
    list = List.copyOf(list);
  }

  public @Nullable Result get(String name) {
    for (Named named : list) {
      if (named.name.equals(name)) {
        return named.result;
      }
    }
    return null;
  }

  public Results plus(Named more) {
    List<Named> all = new ArrayList<>(list);
    all.add(more);
    return new Results(all);
  }

  /** Replaces the result of that name. */
  public Results replaced(String name, Result result) {
    return new Results(
        list.stream()
            .map(named -> named.name.equals(name) ? new Named(name, result, named.meta) : named)
            .toList());
  }
}
