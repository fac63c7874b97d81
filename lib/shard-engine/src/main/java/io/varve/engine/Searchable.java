package io.varve.engine;

/** The content of a copy that searches read. */
public interface Searchable {

  /** Acquires the current view, which the caller closes. */
  SearchView acquireView();

  /** The search counters of the copy. */
  SearchMeters searchMeters();
}
