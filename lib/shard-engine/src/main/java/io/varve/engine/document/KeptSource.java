package io.varve.engine.document;

import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.RootOptions.SourceOptions;
import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/** What of a document is kept as it was sent. */
public final class KeptSource {

  private KeptSource() {}

  /** {@code null} when nothing is. */
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
