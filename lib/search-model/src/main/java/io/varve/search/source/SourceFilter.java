package io.varve.search.source;

import java.util.List;

/**
 * Selects the fields of the source that are returned. Names may contain {@code *}. Including an
 * object includes all its fields; excludes take precedence.
 *
 * @param enabled false to return no source at all
 */
public record SourceFilter(boolean enabled, List<String> includes, List<String> excludes) {

  public static final SourceFilter ALL = new SourceFilter(true, List.of(), List.of());
  public static final SourceFilter NONE = new SourceFilter(false, List.of(), List.of());

  public SourceFilter {
    includes = List.copyOf(includes);
    excludes = List.copyOf(excludes);
  }

  /** Whether sources are returned unchanged. */
  public boolean showsAll() {
    return enabled && includes.isEmpty() && excludes.isEmpty();
  }

  /** The filtered source; the same array when nothing is filtered out. */
  public byte[] apply(byte[] source) {
    return showsAll() ? source : SourceFiltering.apply(this, source);
  }
}
