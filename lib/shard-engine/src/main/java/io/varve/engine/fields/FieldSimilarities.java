package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/** Selects the similarity of each field by its mapping. */
public final class FieldSimilarities extends PerFieldSimilarityWrapper {

  private static final Similarity RANKED = new BM25Similarity();
  private static final Similarity ALIKE = new BooleanSimilarity();

  private final Mapping mapping;

  private FieldSimilarities(Mapping mapping) {
    this.mapping = mapping;
  }

  public static Similarity of(Mapping mapping) {
    return mapping.leaves().values().stream().anyMatch(FieldSimilarities::alike)
        ? new FieldSimilarities(mapping)
        : RANKED;
  }

  private static boolean alike(LeafField field) {
    return field.type() == FieldType.MATCH_ONLY_TEXT || field.similarity().equals("boolean");
  }

  @Override
  public Similarity get(String name) {
    LeafField field = mapping.leaves().get(name);
    return field != null && alike(field) ? ALIKE : RANKED;
  }
}
