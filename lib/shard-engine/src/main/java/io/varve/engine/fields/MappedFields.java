package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/**
 * The Lucene representation of mapped fields. The Lucene field has the mapping's full name; points
 * and doc values share it, so that sorting can skip by points.
 *
 * <pre>
 *   type                   indexed                          doc values
 *   text                   terms, frequencies, positions    none
 *   keyword, wildcard      term                             sorted set
 *   constant_keyword       none (value is in the mapping)   none
 *   flat_object            term, and one below each key     sorted set, and one below each key
 *   boolean                term "T" or "F"                  sorted numeric 1 or 0
 *   long, date             long point (date: epoch millis)  sorted numeric
 *   date_nanos             long point (epoch nanos)         sorted numeric
 *   unsigned_long          long point, sign bit flipped     sorted numeric, sign bit flipped
 *   scaled_float           long point (value × factor)      sorted numeric
 *   integer, short, byte,
 *   token_count            int point                        sorted numeric
 *   double                 double point                     sorted numeric, sortable long bits
 *   float, half_float      float point (half: rounded)      sorted numeric, sortable int bits
 *   ip                     address point, 16 bytes          sorted set
 *   *_range                range                            sorted set, from and to (RangeFields)
 *   geo_point              lat-lon point                    lat-lon
 *   geo_shape              triangles                        none
 *   binary                 none                             binary
 * </pre>
 *
 * For a field with neither doc values nor norms, its name is indexed as a term in {@value
 * #FIELD_NAMES}, which {@code exists} queries use.
 */
public final class MappedFields {

  public static final String FIELD_NAMES = "_field_names";
  public static final String TRUE_TERM = "T";
  public static final String FALSE_TERM = "F";

  private MappedFields() {}

  /** Whether {@code exists} can use doc values or norms. */
  public static boolean findsByValues(LeafField field) {
    return switch (field.type()) {
      case CONSTANT_KEYWORD, GEO_SHAPE -> false;
      default -> field.docValues() || (field.indexed() && field.norms());
    };
  }

  /** Whether {@code exists} must search for the field's name. */
  static boolean findsByName(LeafField field) {
    return !findsByValues(field)
        && field.type() != FieldType.CONSTANT_KEYWORD
        && (field.indexed() || field.stored());
  }

  /** Matches the documents with a value of the field. */
  public static Query exists(LeafField field) {
    return switch (field.type()) {
      // Every document has a value for a constant_keyword field, even if its source has none.
      case CONSTANT_KEYWORD -> MatchAllDocsQuery.INSTANCE;
      default ->
          findsByValues(field)
              ? new FieldExistsQuery(field.path())
              : new TermQuery(new Term(FIELD_NAMES, field.path()));
    };
  }

  /** The long that represents a long, a date, an unsigned long or a scaled float. */
  public static long toLong(LeafField field, Object value) {
    return switch (field.type()) {
      case DATE -> field.dateFormat().parse(value);
      case DATE_NANOS -> field.dateFormat().parseNanos(value);
      case UNSIGNED_LONG -> Values.sortable(Values.unsigned(value));
      case SCALED_FLOAT -> Math.round(Values.decimal(field.type(), value) * field.scalingFactor());
      default -> Values.whole(field.type(), value);
    };
  }

  /** The term of a keyword after normalization. */
  public static BytesRef keywordTerm(LeafField field, String text) {
    String normalizer = field.normalizer();
    return normalizer == null
        ? new BytesRef(text)
        : field.analysis().normalized(normalizer, field.path(), text);
  }

  public static InetAddress address(String text) {
    try {
      return InetAddress.getByAddress(Values.address(text));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of 16 bytes was refused", e);
    }
  }
}
