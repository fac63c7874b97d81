package io.varve.search.aggregation.partial;

import io.varve.events.MalformedRecordException;
import java.util.function.Function;

/** Codes of partial results in their packed form. */
enum PartialKind {
  NUMBERS(1, NumbersPartial::read),
  DISTINCT(2, DistinctPartial::read),
  SINGLE(3, SinglePartial::read),
  FIXED(4, FixedPartial::read),
  TERMS(5, TermsPartial::read),
  HISTOGRAM(6, HistogramPartial::read),
  AUTO_DATE(7, AutoDatePartial::read),
  DIGEST(8, DigestPartial::read),
  WEIGHTED(9, WeightedPartial::read),
  PLACES(10, PointsPartial::read),
  KEYED(11, KeyedPartial::read),
  COMPOSITE(12, CompositePartial::read),
  HITS(13, HitsPartial::read),
  RARE(14, RarePartial::read),
  SIGNIFICANT(15, SignificantPartial::read),
  CLUSTERS(16, ClustersPartial::read);

  private final int code;

  @SuppressWarnings("ImmutableEnumChecker") // method references
  private final Function<PartialReader, Partial> reader;

  PartialKind(int code, Function<PartialReader, Partial> reader) {
    this.code = code;
    this.reader = reader;
  }

  int code() {
    return code;
  }

  Partial read(PartialReader in) {
    return reader.apply(in);
  }

  static PartialKind of(Partial partial) {
    return switch (partial) {
      case NumbersPartial numbers -> NUMBERS;
      case DistinctPartial distinct -> DISTINCT;
      case SinglePartial single -> SINGLE;
      case FixedPartial fixed -> FIXED;
      case TermsPartial terms -> TERMS;
      case HistogramPartial histogram -> HISTOGRAM;
      case AutoDatePartial auto -> AUTO_DATE;
      case DigestPartial digest -> DIGEST;
      case WeightedPartial weighted -> WEIGHTED;
      case PointsPartial places -> PLACES;
      case KeyedPartial keyed -> KEYED;
      case CompositePartial composite -> COMPOSITE;
      case HitsPartial hits -> HITS;
      case RarePartial rare -> RARE;
      case SignificantPartial significant -> SIGNIFICANT;
      case ClustersPartial clusters -> CLUSTERS;
    };
  }

  static PartialKind ofCode(int code) {
    for (PartialKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new MalformedRecordException("unknown kind of aggregation result " + code);
  }
}
