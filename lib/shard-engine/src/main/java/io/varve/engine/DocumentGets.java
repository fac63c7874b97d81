package io.varve.engine;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.GetResult;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Serves gets by id on a writing copy, and counts them in its {@link Meters}. Thread-safe. */
final class DocumentGets {

  private final DocumentStates states;
  private final DocumentParser parser;
  private final Meters meters;

  DocumentGets(DocumentStates states, DocumentParser parser, Meters meters) {
    this.states = states;
    this.parser = parser;
    this.meters = meters;
  }

  /**
   * Reads a document.
   *
   * @param realtime reads the applied state even if it is not refreshed
   * @param storedFields names of the stored fields to return
   */
  GetResult get(String id, boolean realtime, Set<String> storedFields) {
    long began = System.nanoTime();
    meters.currentGets.increment();
    boolean found = false;
    try {
      DocumentState state = realtime ? states.realtime(id) : states.shown(id);
      if (state == null || state.deleted()) {
        return GetResult.missing(id);
      }
      found = true;
      return state.found(
          id,
          parser.mapping().sourceEnabled() ? state.source() : null,
          storedFields(state, id, storedFields));
    } finally {
      meters.got(found, began);
    }
  }

  /**
   * Obtains the stored fields by parsing the source again, because the document may not be in a
   * segment yet.
   */
  private Map<String, List<Object>> storedFields(
      DocumentState state, String id, Set<String> names) {
    byte[] source = state.source();
    if (names.isEmpty() || source == null) {
      return Map.of();
    }
    return parser.parse(id, source) instanceof Parsed.Document document
        ? StoredValues.of(document.fields(), names)
        : Map.of();
  }
}
