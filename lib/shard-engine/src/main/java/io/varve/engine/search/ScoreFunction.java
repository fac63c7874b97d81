package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.GeoPoint;
import java.io.IOException;
import java.util.function.LongToDoubleFunction;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.SloppyMath;
import org.jspecify.annotations.Nullable;

/** Computes a number for a document. */
sealed interface ScoreFunction {

  /** Values of one segment; documents are visited in order. */
  @FunctionalInterface
  interface Values {
    double at(int doc) throws IOException;
  }

  Values values(LeafReaderContext leaf) throws IOException;

  record One() implements ScoreFunction {
    @Override
    public Values values(LeafReaderContext leaf) {
      return _ -> 1;
    }
  }

  record FieldValue(LeafField field, float factor, String modifier, @Nullable Double missing)
      implements ScoreFunction {

    @Override
    public Values values(LeafReaderContext leaf) throws IOException {
      SortedNumericDocValues values = NumberReading.values(leaf.reader(), field);
      LongToDoubleFunction reading = NumberReading.of(field);
      return doc -> {
        double value;
        if (values.advanceExact(doc)) {
          value = reading.applyAsDouble(values.nextValue());
        } else if (missing != null) {
          value = missing;
        } else {
          throw SearchErrors.failed(
              ErrorBody.of(400, "exception", "Missing value for field [" + field.path() + "]"));
        }
        double modified = modified(value * factor);
        if (Double.isNaN(modified) || modified < 0) {
          throw SearchErrors.failed(
              ErrorBody.illegalArgument(
                  "field value function must not produce negative scores, but got: ["
                      + modified
                      + "] for field value: ["
                      + value
                      + "]"));
        }
        return modified;
      };
    }

    private double modified(double value) {
      return switch (modifier) {
        case "log" -> Math.log10(value);
        case "log1p" -> Math.log10(value + 1);
        case "log2p" -> Math.log10(value + 2);
        case "ln" -> Math.log(value);
        case "ln1p" -> Math.log1p(value);
        case "ln2p" -> Math.log1p(value + 1);
        case "square" -> value * value;
        case "sqrt" -> Math.sqrt(value);
        case "reciprocal" -> 1 / value;
        default -> value;
      };
    }
  }

  /** A number below 1 that depends only on the seed and the document. */
  record Random(long seed, @Nullable LeafField field) implements ScoreFunction {

    @Override
    public Values values(LeafReaderContext leaf) throws IOException {
      LeafField by = field;
      SortedNumericDocValues values =
          by == null || !NumberReading.isNumeric(by)
              ? null
              : NumberReading.values(leaf.reader(), by);
      return doc -> {
        long key = (long) leaf.docBase + doc;
        if (values != null) {
          key = values.advanceExact(doc) ? values.nextValue() : 0;
        }
        return (mixed(key ^ mixed(seed)) >>> 40) / (double) (1 << 24);
      };
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long value) {
      long mixed = value + 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
      return mixed ^ (mixed >>> 31);
    }
  }

  /**
   * A decay function: 1 at the origin, decreasing with the distance from it.
   *
   * @param point the origin for a point field, otherwise null
   */
  record Decay(
      LeafField field, @Nullable GeoPoint point, double origin, Formula formula, String mode)
      implements ScoreFunction {

    @Override
    public Values values(LeafReaderContext leaf) throws IOException {
      SortedNumericDocValues values = NumberReading.values(leaf.reader(), field);
      LongToDoubleFunction reading = NumberReading.of(field);
      return doc -> {
        if (!values.advanceExact(doc)) {
          return 1;
        }
        int count = values.docValueCount();
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        double sum = 0;
        for (int i = 0; i < count; i++) {
          double away = distance(values.nextValue(), reading);
          least = Math.min(least, away);
          greatest = Math.max(greatest, away);
          sum += away;
        }
        double distance =
            switch (mode) {
              case "max" -> greatest;
              case "sum" -> sum;
              case "avg" -> sum / count;
              default -> least;
            };
        return formula.at(distance);
      };
    }

    private double distance(long value, LongToDoubleFunction reading) {
      if (point == null) {
        return Math.abs(reading.applyAsDouble(value) - origin);
      }
      return SloppyMath.haversinMeters(
          point.lat(),
          point.lon(),
          GeoEncodingUtils.decodeLatitude((int) (value >>> 32)),
          GeoEncodingUtils.decodeLongitude((int) value));
    }
  }

  /**
   * Converts a distance to a number; d is the distance beyond the offset:
   *
   * <pre>
   *   gauss   exp(d² / 2s²),  s² = -scale² / (2 ln decay)
   *   exp     exp(d · ln(decay) / scale)
   *   linear  max(0, (s - d) / s),  s = scale / (1 - decay)
   * </pre>
   */
  record Formula(String kind, double factor, double offset) {

    static Formula of(String kind, double scale, double offset, double decay) {
      double factor =
          switch (kind) {
            case "gauss" -> Math.log(decay) / (scale * scale);
            case "exp" -> Math.log(decay) / scale;
            default -> scale / (1 - decay);
          };
      return new Formula(kind, factor, offset);
    }

    double at(double distance) {
      double beyond = Math.max(0, distance - offset);
      return switch (kind) {
        case "gauss" -> Math.exp(beyond * beyond * factor);
        case "exp" -> Math.exp(beyond * factor);
        default -> Math.max(0, (factor - beyond) / factor);
      };
    }
  }
}
