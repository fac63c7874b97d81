package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Range;
import io.varve.search.query.Query.Relation;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/** Translates term and terms queries according to the field's type. */
final class ValueQueries {

  private final RangeQueries ranges;

  ValueQueries(RangeQueries ranges) {
    this.ranges = ranges;
  }

  Query one(LeafField field, Object value) {
    return switch (field.type()) {
      case TEXT, MATCH_ONLY_TEXT -> new TermQuery(new Term(field.path(), value.toString()));
      case KEYWORD, WILDCARD, FLAT_OBJECT -> keyword(field, value.toString());
      case CONSTANT_KEYWORD -> constant(field, value.toString()::equals);
      case BOOLEAN -> truth(field, Values.truth(value));
      case DATE,
          DATE_NANOS,
          INTEGER_RANGE,
          LONG_RANGE,
          FLOAT_RANGE,
          DOUBLE_RANGE,
          DATE_RANGE,
          IP_RANGE ->
          ranges.of(field, closed(field, value));
      case LONG,
          INTEGER,
          SHORT,
          BYTE,
          TOKEN_COUNT,
          UNSIGNED_LONG,
          SCALED_FLOAT,
          DOUBLE,
          FLOAT,
          HALF_FLOAT ->
          number(field, value);
      case IP -> address(field, value.toString());
      case BINARY -> throw SearchErrors.shard("Binary fields do not support searching");
      case GEO_POINT, GEO_SHAPE ->
          throw SearchErrors.shard(
              "Geometry fields do not support exact searching, use dedicated geometry queries"
                  + " instead: ["
                  + field.path()
                  + "]");
    };
  }

  private static Range closed(LeafField field, Object value) {
    Bound bound = new Bound(value, true);
    return new Range(field.path(), bound, bound, null, null, Relation.INTERSECTS, 1);
  }

  private static Query keyword(LeafField field, String text) {
    BytesRef term = MappedFields.keywordTerm(field, text);
    return field.indexed()
        ? new TermQuery(new Term(field.path(), term))
        : SortedSetDocValuesField.newSlowExactQuery(field.path(), term);
  }

  /** The value of a {@code constant_keyword} is in the mapping, so all documents match, or none. */
  static Query constant(LeafField field, Predicate<String> wanted) {
    return wanted.test(field.constant())
        ? MatchAllDocsQuery.INSTANCE
        : new MatchNoDocsQuery("the constant of [" + field.path() + "] differs");
  }

  private static Query truth(LeafField field, boolean value) {
    return field.indexed()
        ? new ConstantScoreQuery(
            new TermQuery(
                new Term(field.path(), value ? MappedFields.TRUE_TERM : MappedFields.FALSE_TERM)))
        : SortedNumericDocValuesField.newSlowExactQuery(field.path(), value ? 1 : 0);
  }

  private Query number(LeafField field, Object value) {
    boolean whole = field.type().isWhole() || field.type() == FieldType.UNSIGNED_LONG;
    if (whole && hasDecimals(value)) {
      return new MatchNoDocsQuery("an integer field can't have the value [" + value + "]");
    }
    return switch (field.type()) {
      case LONG, SCALED_FLOAT, UNSIGNED_LONG -> {
        long exact = MappedFields.toLong(field, value);
        yield NumberRanges.longs(field, exact, exact);
      }
      case INTEGER, SHORT, BYTE, TOKEN_COUNT -> {
        int exact = (int) Values.whole(field.type(), value);
        yield NumberRanges.ints(field, exact, exact);
      }
      default -> {
        // Half floats are stored rounded, so queries are rounded as well.
        Object held = Values.decimal(field.type(), value);
        yield ranges.of(field, closed(field, held));
      }
    };
  }

  private static boolean hasDecimals(Object value) {
    // Text that is not a number is rejected here.
    double number = Values.decimal(FieldType.DOUBLE, value);
    return !(value instanceof Long) && number != Math.rint(number) && Values.hasDecimals(value);
  }

  private static Query address(LeafField field, String text) {
    int slash = text.indexOf('/');
    InetAddress address = MappedFields.address(slash < 0 ? text : text.substring(0, slash));
    if (slash >= 0) {
      return network(field, address, text.substring(slash + 1));
    }
    return field.indexed()
        ? InetAddressPoint.newExactQuery(field.path(), address)
        : SortedSetDocValuesField.newSlowExactQuery(
            field.path(), new BytesRef(InetAddressPoint.encode(address)));
  }

  private static Query network(LeafField field, InetAddress address, String bits) {
    PointRangeQuery points;
    try {
      points =
          (PointRangeQuery)
              InetAddressPoint.newPrefixQuery(field.path(), address, Integer.parseInt(bits));
    } catch (IllegalArgumentException e) {
      throw SearchErrors.illegal(
          "'" + address.getHostAddress() + "/" + bits + "' is not an IP string literal.");
    }
    return field.indexed()
        ? points
        : SortedSetDocValuesField.newSlowRangeQuery(
            field.path(),
            new BytesRef(points.getLowerPoint()),
            new BytesRef(points.getUpperPoint()),
            true,
            true);
  }

  Query any(LeafField field, List<Object> values) {
    if (values.isEmpty()) {
      return new MatchNoDocsQuery("no values");
    }
    if (!field.indexed()) {
      return eachOf(field, values);
    }
    return switch (field.type()) {
      case TEXT, MATCH_ONLY_TEXT, KEYWORD, WILDCARD, FLAT_OBJECT ->
          new ConstantScoreQuery(
              new TermInSetQuery(
                  field.path(),
                  values.stream()
                      .map(v -> MappedFields.keywordTerm(field, v.toString()))
                      .toList()));
      case LONG, SCALED_FLOAT, UNSIGNED_LONG -> longSet(field, values);
      case INTEGER, SHORT, BYTE, TOKEN_COUNT ->
          IntPoint.newSetQuery(
              field.path(),
              wholes(values).mapToInt(v -> (int) Values.whole(field.type(), v)).toArray());
      case DOUBLE ->
          DoublePoint.newSetQuery(
              field.path(),
              values.stream().mapToDouble(v -> Values.decimal(field.type(), v)).toArray());
      case FLOAT, HALF_FLOAT -> floatSet(field, values);
      default -> eachOf(field, values);
    };
  }

  private static Stream<Object> wholes(List<Object> values) {
    return values.stream().filter(value -> !hasDecimals(value));
  }

  private static Query longSet(LeafField field, List<Object> values) {
    Stream<Object> able = field.type() == FieldType.SCALED_FLOAT ? values.stream() : wholes(values);
    long[] longs = able.mapToLong(v -> MappedFields.toLong(field, v)).toArray();
    Query byPoints = LongPoint.newSetQuery(field.path(), longs);
    return field.docValues()
        ? new IndexOrDocValuesQuery(
            byPoints, SortedNumericDocValuesField.newSlowSetQuery(field.path(), longs))
        : byPoints;
  }

  private static Query floatSet(LeafField field, List<Object> values) {
    float[] floats = new float[values.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) Values.decimal(field.type(), values.get(i));
    }
    return FloatPoint.newSetQuery(field.path(), floats);
  }

  private Query eachOf(LeafField field, List<Object> values) {
    List<Query> queries = new ArrayList<>();
    values.forEach(value -> queries.add(one(field, value)));
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, BooleanClause.Occur.SHOULD));
    return new ConstantScoreQuery(any.build());
  }
}
