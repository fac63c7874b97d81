package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexOptions;
import org.jspecify.annotations.Nullable;

/** The Lucene field types of a text by its mapping: words, prefixes and pairs. */
final class TextTypes {

  private final LeafField field;
  private final @Nullable FieldType words;
  private final boolean storedAlone;
  private final Analyzer analyzer;
  private final @Nullable Analyzer prefixes;
  private final @Nullable Analyzer pairs;

  TextTypes(LeafField field) {
    this.field = field;
    this.analyzer = FieldAnalyzers.forIndexing(field);
    this.words = field.indexed() ? words(field) : null;
    this.storedAlone = field.stored() && !field.indexed();
    int[] lengths = field.indexPrefixes();
    this.prefixes = lengths == null ? null : TextSubFields.prefixes(analyzer, lengths);
    this.pairs = field.indexPhrases() ? TextSubFields.pairs(analyzer) : null;
  }

  void add(String text, DocumentFields into) {
    FieldType type = words;
    if (type != null) {
      into.add(new TextField(field.path(), text, analyzer, type));
    } else if (storedAlone) {
      into.add(new StoredField(field.path(), text));
    }
    if (prefixes != null) {
      into.add(
          new TextField(
              TextSubFields.prefixField(field), text, prefixes, TextSubFields.PREFIX_TYPE));
    }
    if (pairs != null) {
      into.add(new TextField(TextSubFields.pairField(field), text, pairs, TextSubFields.PAIR_TYPE));
    }
  }

  private static FieldType words(LeafField field) {
    FieldType type = new FieldType();
    boolean plain = field.type() == io.varve.search.mapping.FieldType.MATCH_ONLY_TEXT;
    type.setIndexOptions(plain ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS : options(field));
    type.setTokenized(true);
    type.setOmitNorms(!field.norms());
    type.setStored(field.stored());
    String vectors = field.termVector();
    type.setStoreTermVectors(!vectors.equals("no"));
    type.setStoreTermVectorPositions(vectors.contains("positions"));
    type.setStoreTermVectorOffsets(vectors.contains("offsets"));
    type.setStoreTermVectorPayloads(vectors.contains("payloads"));
    type.freeze();
    return type;
  }

  /** A keyword type whose postings have frequencies or positions, or that has norms. */
  static FieldType keyword(LeafField field) {
    FieldType type = new FieldType();
    type.setIndexOptions(options(field));
    type.setTokenized(false);
    type.setOmitNorms(!field.norms());
    type.freeze();
    return type;
  }

  private static IndexOptions options(LeafField field) {
    return switch (field.indexOptions()) {
      case "docs" -> IndexOptions.DOCS;
      case "freqs" -> IndexOptions.DOCS_AND_FREQS;
      case "offsets" -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS;
      default -> IndexOptions.DOCS_AND_FREQS_AND_POSITIONS;
    };
  }
}
