package io.varve.search.aggregation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which terms are looked at. */
public sealed interface IncludeExclude {

  /** Regular expressions over whole terms; null for no bound. */
  record Patterns(@Nullable String include, @Nullable String exclude) implements IncludeExclude {}

  /** Terms by name; an empty list of includes is none at all, null is all. */
  record Lists(@Nullable List<Object> include, @Nullable List<Object> exclude)
      implements IncludeExclude {
    public Lists {
      include = include == null ? null : List.copyOf(include);
      exclude = exclude == null ? null : List.copyOf(exclude);
    }
  }

  /** One of several parts into which the terms fall by their hash. */
  record Partition(int partition, int partitions) implements IncludeExclude {}
}
