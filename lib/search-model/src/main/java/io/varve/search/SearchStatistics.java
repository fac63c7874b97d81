package io.varve.search;

import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The term and field statistics of one or more shards. Scores that must be comparable across shards
 * are computed from the sum over all shards.
 */
public record SearchStatistics(Map<TermKey, TermCounts> terms, Map<String, FieldCounts> fields) {

  public static final SearchStatistics NONE = new SearchStatistics(Map.of(), Map.of());

  @SuppressWarnings("ArrayRecordComponent")
  public record TermKey(String field, byte[] term) {
    @Override
    public boolean equals(Object other) {
      return other instanceof TermKey(String otherField, byte[] otherTerm)
          && field.equals(otherField)
          && Arrays.equals(term, otherTerm);
    }

    @Override
    public int hashCode() {
      return 31 * field.hashCode() + Arrays.hashCode(term);
    }
  }

  public record TermCounts(long documents, long occurrences) {
    TermCounts plus(TermCounts other) {
      return new TermCounts(documents + other.documents, occurrences + other.occurrences);
    }
  }

  /**
   * @param documents all documents of the shard
   * @param withField documents that have the field
   * @param occurrences occurrences of all terms of the field
   * @param postings the sum, over the field's terms, of the documents that contain the term
   */
  public record FieldCounts(long documents, long withField, long occurrences, long postings) {
    FieldCounts plus(FieldCounts other) {
      return new FieldCounts(
          documents + other.documents,
          withField + other.withField,
          occurrences + other.occurrences,
          postings + other.postings);
    }
  }

  public SearchStatistics {
    terms = Map.copyOf(terms);
    fields = Map.copyOf(fields);
  }

  public SearchStatistics plus(SearchStatistics other) {
    Map<TermKey, TermCounts> newTerms = new LinkedHashMap<>(terms);
    other.terms.forEach((key, counts) -> newTerms.merge(key, counts, TermCounts::plus));
    Map<String, FieldCounts> newFields = new LinkedHashMap<>(fields);
    other.fields.forEach((key, counts) -> newFields.merge(key, counts, FieldCounts::plus));
    return new SearchStatistics(newTerms, newFields);
  }

  public boolean isEmpty() {
    return terms.isEmpty() && fields.isEmpty();
  }

  public void write(PackedWriter out) {
    out.writeVarLong(terms.size());
    terms.forEach((key, counts) -> {
      out.writeBytes(key.field.getBytes(StandardCharsets.UTF_8));
      out.writeBytes(key.term);
      out.writeVarLong(counts.documents);
      out.writeVarLong(counts.occurrences);
    });
    out.writeVarLong(fields.size());
    fields.forEach((field, counts) -> {
      out.writeBytes(field.getBytes(StandardCharsets.UTF_8));
      out.writeVarLong(counts.documents);
      out.writeVarLong(counts.withField);
      out.writeVarLong(counts.occurrences);
      out.writeVarLong(counts.postings);
    });
  }

  public static SearchStatistics read(PackedReader in) {
    Map<TermKey, TermCounts> terms = new LinkedHashMap<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      TermKey key = new TermKey(new String(in.readBytes(), StandardCharsets.UTF_8), in.readBytes());
      terms.put(key, new TermCounts(in.readVarLong(), in.readVarLong()));
    }
    Map<String, FieldCounts> fields = new LinkedHashMap<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      String field = new String(in.readBytes(), StandardCharsets.UTF_8);
      fields.put(
          field,
          new FieldCounts(in.readVarLong(), in.readVarLong(), in.readVarLong(), in.readVarLong()));
    }
    return new SearchStatistics(terms, fields);
  }
}
