package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class NestedValuesTest {

  /** A comparator reads a document's number, and reads it again when it keeps it. */
  @Test
  void aDocumentsValueCanBeReadTwice() throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < 300; i++) {
        List<Document> block = new ArrayList<>();
        for (int object = 0; object < 3; object++) {
          Document document = document("object");
          document.add(new SortedNumericDocValuesField("n", i * 10L + object));
          block.add(document);
        }
        block.add(document("root"));
        writer.addDocuments(block);
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        LeafReaderContext leaf = reader.leaves().getFirst();
        SortedNumericDocValues values =
            NestedValues.of(leaf, "n", all("root"), all("object"), Integer.MAX_VALUE);
        for (int i = 0; i < 300; i++) {
          for (int time = 0; time < 2; time++) {
            assertThat(values.advanceExact(i * 4 + 3)).isTrue();
            assertThat(values.docValueCount()).isEqualTo(3);
            assertThat(List.of(values.nextValue(), values.nextValue(), values.nextValue()))
                .containsExactly(i * 10L, i * 10L + 1, i * 10L + 2);
          }
        }
      }
    }
  }

  private static Document document(String kind) {
    Document document = new Document();
    document.add(new StringField("kind", kind, Field.Store.NO));
    return document;
  }

  private static QueryBitSetProducer all(String kind) {
    return new QueryBitSetProducer(new TermQuery(new Term("kind", kind)));
  }
}
