package io.varve.search.aggregation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the terms that are aggregated. */
public sealed interface IncludeExclude {

  /** Regular expressions over whole terms; null for no restriction. */
  record Patterns(@Nullable String include, @Nullable String exclude) implements IncludeExclude {}

  /** Explicit terms. An empty list of includes selects no term, null selects all. */
  record Lists(@Nullable List<Object> include, @Nullable List<Object> exclude)
      implements IncludeExclude {
    public Lists {
      include = include == null ? null : List.copyOf(include);
      exclude = exclude == null ? null : List.copyOf(exclude);
    }
  }

  /** One of several partitions of the terms by hash. */
  record Partition(int partition, int partitions) implements IncludeExclude {}
}
