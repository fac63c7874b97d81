package io.varve.engine.search;

import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads values from sources, converted to the types of their fields. */
final class SourceReading {

  private SourceReading() {}

  static FieldValuesPart.Values of(Mapping mapping, LeafField field, @Nullable String format) {
    String path = sourcePath(mapping, field);
    DateFormat dates = dates(field, format);
    if (field.type() == FieldType.GEO_POINT) {
      return hit -> points(hit.tree().whole(path));
    }
    return hit -> {
      List<Object> shown = new ArrayList<>();
      for (Object value : hit.tree().values(path)) {
        Object held = value == null ? field.nullValue() : value;
        Object one = held == null ? null : shown(field, held, dates);
        if (one != null) {
          shown.add(one);
        }
      }
      return shown;
    };
  }

  /** The path of a field's values in the source: a sub-field has those of its parent. */
  static String sourcePath(Mapping mapping, LeafField field) {
    String path = field.path();
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      LeafField owner = mapping.leaf(path.substring(0, dot));
      if (owner != null) {
        return owner.path();
      }
    }
    return path;
  }

  private static @Nullable DateFormat dates(LeafField field, @Nullable String format) {
    return switch (field.type()) {
      case DATE, DATE_NANOS, DATE_RANGE ->
          format == null ? field.dateFormat() : DocValueReading.dateFormat(format);
      default -> {
        if (format != null) {
          throw SearchErrors.illegal(
              "Field ["
                  + field.path()
                  + "] of type ["
                  + field.type().json()
                  + "] doesn't support formats.");
        }
        yield null;
      }
    };
  }

  /**
   * Converts a value for the response; null for a value that the field can't represent and indexing
   * has therefore ignored.
   */
  private static @Nullable Object shown(LeafField field, Object value, @Nullable DateFormat dates) {
    try {
      return switch (field.type()) {
        case TEXT, MATCH_ONLY_TEXT -> value.toString();
        case KEYWORD, WILDCARD -> {
          String text = value.toString();
          yield text.length() > field.ignoreAbove() ? null : text;
        }
        case UNSIGNED_LONG -> Values.unsigned(plain(value));
        case LONG, INTEGER, SHORT, BYTE -> Values.whole(field.type(), plain(value));
        case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> Values.decimal(field.type(), plain(value));
        case BOOLEAN -> Values.truth(value);
        case DATE_NANOS ->
            dates == null
                ? value
                : dates.print(
                    field.dateFormat().instant(value.toString(), ZoneOffset.UTC, false),
                    ZoneOffset.UTC);
        case DATE -> dates == null ? value : dates.print(field.dateFormat().parse(value));
        default -> value;
      };
    } catch (ValueException e) {
      return null;
    }
  }

  private static List<Object> points(List<Object> values) {
    List<Object> shown = new ArrayList<>();
    for (Object value : values) {
      shown.addAll(pointsOf(value));
    }
    return shown;
  }

  /** The points of a value, without those that indexing has ignored. */
  private static List<Object> pointsOf(Object value) {
    try {
      return GeoPoint.parseAll(value).stream().<Object>map(SourceReading::point).toList();
    } catch (ValueException e) {
      return List.of();
    }
  }

  private static Object plain(Object value) {
    return switch (value) {
      case Integer whole -> (Long) whole.longValue();
      case BigInteger whole -> whole;
      default -> value;
    };
  }

  private static Map<String, Object> point(GeoPoint point) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("coordinates", List.of(point.lon(), point.lat()));
    shown.put("type", "Point");
    return shown;
  }
}
