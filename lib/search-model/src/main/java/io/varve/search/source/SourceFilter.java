package io.varve.search.source;

import java.util.List;

/**
 * Which parts of the source are shown. Names may have {@code *}; an included object is shown with
 * all that is in it; what is excluded is never shown.
 *
 * @param enabled false: no source at all
 */
public record SourceFilter(boolean enabled, List<String> includes, List<String> excludes) {

  public static final SourceFilter ALL = new SourceFilter(true, List.of(), List.of());
  public static final SourceFilter NONE = new SourceFilter(false, List.of(), List.of());

  public SourceFilter {
    includes = List.copyOf(includes);
    excludes = List.copyOf(excludes);
  }

  /** Whether sources are shown as they are. */
  public boolean showsAll() {
    return enabled && includes.isEmpty() && excludes.isEmpty();
  }

  /** The filtered source; the same array when everything is shown. */
  public byte[] apply(byte[] source) {
    return showsAll() ? source : SourceFiltering.apply(this, source);
  }
}
