package io.varve.search.aggregation.partial;

/**
 * What one aggregation found in a part of an index. Two of the same aggregation merge into what it
 * would have found in both parts; neither of the two is changed.
 */
public sealed interface Partial
    permits NumbersPartial,
        DistinctPartial,
        SinglePartial,
        FixedPartial,
        TermsPartial,
        HistogramPartial,
        AutoDatePartial,
        DigestPartial,
        WeightedPartial,
        PlacesPartial,
        KeyedPartial,
        CompositePartial,
        HitsPartial,
        RarePartial,
        SignificantPartial,
        ClustersPartial {

  /** Both; the other is of the same aggregation. */
  Partial merge(Partial other);

  void write(Out out);
}
