package io.varve.search.aggregation.result;

import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.FieldSource;

/** Properties that all kinds of composite sources have. */
public final class CompositeSources {

  private CompositeSources() {}

  public static FieldSource source(CompositeSource source) {
    return switch (source) {
      case CompositeSource.OfTerms terms -> terms.source();
      case CompositeSource.OfHistogram histogram -> histogram.source();
      case CompositeSource.OfDates dates -> dates.source();
      case CompositeSource.OfGeotile tiles -> tiles.source();
    };
  }
}
