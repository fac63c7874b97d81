package io.varve.search.aggregation.partial;

/**
 * The result of one aggregation over a part of an index. Merging the results of two parts gives the
 * result over both parts and changes neither.
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
        PointsPartial,
        KeyedPartial,
        CompositePartial,
        HitsPartial,
        RarePartial,
        SignificantPartial,
        ClustersPartial {

  /**
   * @param other a result of the same aggregation
   */
  Partial merge(Partial other);

  void write(PartialWriter out);
}
