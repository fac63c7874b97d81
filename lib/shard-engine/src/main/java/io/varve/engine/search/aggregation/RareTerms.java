package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.RarePartial;
import io.varve.search.aggregation.partial.SinglePartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Returns the terms with few documents, and the keys of all other terms, which are removed from the
 * rare terms of other shards when results are merged.
 *
 * @param most maximum number of documents of a rare term
 */
record RareTerms(int most, MemoryAccount memory) implements TermsOutput {

  private static final long NAME_BYTES = 64;

  @Override
  public RarePartial of(FoundTerms terms, int owner) throws IOException {
    Map<Object, SinglePartial> rare = new HashMap<>();
    Set<Object> common = new HashSet<>();
    for (int bucket : terms.of(owner)) {
      memory.charge(NAME_BYTES);
      long count = terms.counts().get(bucket);
      if (count > most) {
        common.add(terms.key(bucket));
      } else {
        rare.put(terms.key(bucket), new SinglePartial(count, terms.children(bucket)));
      }
    }
    return new RarePartial(terms.kind(), terms.format(), most, rare, common);
  }

  @Override
  public RarePartial nothing(Kind kind, ValueFormat format) {
    return new RarePartial(kind, format, most, Map.of(), Set.of());
  }
}
