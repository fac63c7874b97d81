package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import io.varve.rpc.GetResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The stored fields of one document, in the form of {@link GetResult#fields}. */
public final class StoredValues {

  private StoredValues() {}

  /** Reads the stored fields of the live document with this id; empty if there is none. */
  static Map<String, List<Object>> find(IndexReader reader, String id, Set<String> names)
      throws IOException {
    if (names.isEmpty()) {
      return Map.of();
    }
    BytesRef term = new BytesRef(id.getBytes(StandardCharsets.UTF_8));
    for (LeafReaderContext leaf : reader.leaves()) {
      int doc = liveDocument(leaf.reader(), term);
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        return of(leaf.reader().storedFields().document(doc, names).getFields(), names);
      }
    }
    return Map.of();
  }

  private static int liveDocument(LeafReader leaf, BytesRef id) throws IOException {
    Terms terms = leaf.terms(MetaFields.ID);
    TermsEnum found = terms == null ? null : terms.iterator();
    if (found == null || !found.seekExact(id)) {
      return DocIdSetIterator.NO_MORE_DOCS;
    }
    Bits live = leaf.getLiveDocs();
    PostingsEnum documents = found.postings(null, PostingsEnum.NONE);
    int doc = documents.nextDoc();
    while (doc != DocIdSetIterator.NO_MORE_DOCS && live != null && !live.get(doc)) {
      doc = documents.nextDoc();
    }
    return doc;
  }

  /** Selects the stored fields with these names from fields that were just parsed or read. */
  public static Map<String, List<Object>> of(
      Iterable<? extends IndexableField> fields, Set<String> names) {
    Map<String, List<Object>> values = new LinkedHashMap<>();
    for (IndexableField field : fields) {
      Object value = names.contains(field.name()) ? value(field) : null;
      if (value != null) {
        values.computeIfAbsent(field.name(), name -> new ArrayList<>()).add(value);
      }
    }
    return values;
  }

  private static @Nullable Object value(IndexableField field) {
    if (!field.fieldType().stored()) {
      return null;
    }
    Number number = field.numericValue();
    if (number != null) {
      return number;
    }
    String text = field.stringValue();
    if (text != null) {
      return text;
    }
    BytesRef bytes = field.binaryValue();
    return bytes == null ? null : Map.of(GetResult.BYTES, base64(bytes));
  }

  private static String base64(BytesRef bytes) {
    return Base64.getEncoder()
        .encodeToString(Arrays.copyOfRange(bytes.bytes, bytes.offset, bytes.offset + bytes.length));
  }
}
