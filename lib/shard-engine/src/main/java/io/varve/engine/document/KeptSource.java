package io.varve.engine.document;

import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.RootOptions.SourceOptions;
import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/** The part of a document's source that the mapping keeps. */
public final class KeptSource {

  private KeptSource() {}

  /** {@code null} if nothing is kept. */
  public static byte @Nullable [] of(Mapping mapping, byte @Nullable [] source) {
    SourceOptions options = mapping.options().source();
    if (!options.enabled()) {
      return null;
    }
    return source == null || !options.filters()
        ? source
        : new SourceFilter(true, options.includes(), options.excludes()).apply(source);
  }
}
