package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.DistanceUnits;
import io.varve.search.query.ScoreQuery.DistanceFeature;
import io.varve.search.query.ScoreQuery.Filtered;
import io.varve.search.query.ScoreQuery.Function;
import io.varve.search.query.ScoreQuery.FunctionScore;
import io.varve.text.TimeValues;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Translates queries that compute scores from field values. */
final class ScoreQueryTranslator {

  private final QueryContext context;
  private final QueryTranslator translator;

  ScoreQueryTranslator(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  /** Passes the boost to Lucene's query, whose formula contains it. */
  Query distanceFeature(DistanceFeature feature) {
    LeafField field = context.leaf(feature.field());
    if (field == null) {
      return new MatchNoDocsQuery("unmapped field [" + feature.field() + "]");
    }
    return switch (field.type()) {
      case DATE ->
          LongField.newDistanceFeatureQuery(
              field.path(),
              feature.boost(),
              date(field, feature.origin()),
              Math.max(1, TimeValues.parseMillis("pivot", feature.pivot())));
      case DATE_NANOS ->
          LongField.newDistanceFeatureQuery(
              field.path(),
              feature.boost(),
              DateFormat.nanos(
                  new DateMath(field.dateFormat(), context.nowMillis(), ZoneOffset.UTC)
                      .instant(feature.origin().toString(), false)),
              Math.max(1, TimeValues.parseMillis("pivot", feature.pivot()) * 1_000_000));
      case GEO_POINT -> {
        GeoPoint origin = point(feature.origin());
        yield LatLonPoint.newDistanceFeatureQuery(
            field.path(),
            feature.boost(),
            origin.lat(),
            origin.lon(),
            DistanceUnits.meters(feature.pivot(), "m"));
      }
      default ->
          throw SearchErrors.failedToCreate(
              ErrorBody.illegalArgument(
                  "Illegal data type of ["
                      + field.type().json()
                      + "]![distance_feature] query can only be run on a date, date_nanos or"
                      + " geo_point field type!"));
    };
  }

  private long date(LeafField field, Object text) {
    return new DateMath(field.dateFormat(), context.nowMillis(), ZoneOffset.UTC)
        .millis(text.toString(), false);
  }

  private static GeoPoint point(Object value) {
    try {
      return GeoPoint.parse(value);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  Query functionScore(FunctionScore query) {
    Query inner = translator.translate(query.query());
    List<FunctionsSource.Part> parts = new ArrayList<>();
    for (Filtered function : query.functions()) {
      io.varve.search.query.Query filter = function.filter();
      parts.add(
          new FunctionsSource.Part(
              filter == null ? null : translator.translate(filter),
              scorer(function.function()),
              function.weight()));
    }
    Query scored =
        parts.isEmpty()
            ? inner
            : new FunctionScoreQuery(
                inner,
                new FunctionsSource(
                    parts, query.functionsMode(), query.boostMode(), query.maxBoost()));
    Float minimum = query.minScore();
    return minimum == null ? scored : new MinScoreQuery(scored, minimum);
  }

  private ScoreFunction scorer(Function function) {
    return switch (function) {
      case Function.Constant _ -> new ScoreFunction.One();
      case Function.FieldValue value ->
          new ScoreFunction.FieldValue(
              numeric(value.field()), value.factor(), value.modifier(), value.missing());
      case Function.Random random ->
          new ScoreFunction.Random(
              random.seed() == null ? context.nowMillis() : random.seed(),
              random.field() == null ? null : context.leaf(random.field()));
      case Function.Decay decay -> decay(decay);
    };
  }

  private LeafField numeric(String name) {
    LeafField field = context.leaf(name);
    if (field == null) {
      throw SearchErrors.failedToCreate(
          ErrorBody.of(400, "exception", "Unable to find a field mapper for field [" + name + "]"));
    }
    if (!NumberReading.isNumeric(field)) {
      throw SearchErrors.failedToCreate(
          ErrorBody.illegalArgument(
              "field [" + name + "] of type [" + field.type().json() + "] holds no numbers"));
    }
    return field;
  }

  private ScoreFunction decay(Function.Decay decay) {
    LeafField field = context.leaf(decay.field());
    if (field == null) {
      throw new ApiException(400, "parsing_exception", "unknown field [" + decay.field() + "]");
    }
    return switch (field.type()) {
      case GEO_POINT -> pointDecay(decay, field);
      case DATE -> dateDecay(decay, field);
      default -> numberDecay(decay, numeric(decay.field()));
    };
  }

  private ScoreFunction pointDecay(Function.Decay decay, LeafField field) {
    Object offset = decay.offset();
    Object origin = decay.origin();
    if (origin == null) {
      throw new ApiException(400, "parse_exception", "[origin] must be set for geo fields.");
    }
    double scale = DistanceUnits.meters(decay.scale().toString(), "m");
    return new ScoreFunction.Decay(
        field,
        point(origin),
        0,
        formula(decay, scale, offset == null ? 0 : DistanceUnits.meters(offset.toString(), "m")),
        decay.mode());
  }

  private ScoreFunction dateDecay(Function.Decay decay, LeafField field) {
    Object offset = decay.offset();
    Object origin = decay.origin();
    long scale = TimeValues.parseMillis("scale", decay.scale().toString());
    return new ScoreFunction.Decay(
        field,
        null,
        (double) (origin == null ? context.nowMillis() : date(field, origin)),
        formula(
            decay,
            (double) scale,
            offset == null ? 0 : (double) TimeValues.parseMillis("offset", offset.toString())),
        decay.mode());
  }

  private static ScoreFunction numberDecay(Function.Decay decay, LeafField field) {
    Object offset = decay.offset();
    Object origin = decay.origin();
    if (origin == null) {
      throw new ApiException(
          400, "parse_exception", "both [scale] and [origin] must be set for numeric fields.");
    }
    return new ScoreFunction.Decay(
        field,
        null,
        number(origin),
        formula(decay, number(decay.scale()), offset == null ? 0 : number(offset)),
        decay.mode());
  }

  private static ScoreFunction.Formula formula(Function.Decay decay, double scale, double offset) {
    if (scale <= 0) {
      throw SearchErrors.illegal("[" + decay.kind() + "] scale must be > 0.0.");
    }
    if (offset < 0) {
      throw SearchErrors.illegal("[" + decay.kind() + "] offset must be > 0.0");
    }
    return ScoreFunction.Formula.of(decay.kind(), scale, offset, decay.decay());
  }

  private static double number(@Nullable Object value) {
    try {
      return value instanceof Number number
          ? number.doubleValue()
          : Double.parseDouble(String.valueOf(value));
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.of(400, "number_format_exception", String.valueOf(e.getMessage())));
    }
  }
}
