package io.varve.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Corruption is reported with its segment, and sources that can't be split are stored as is. */
class SourceReaderTest {

  /** Placeholders are written as {@code <rendering|rank|field>}, stored values as {@code $}. */
  private static String source(String shape, @Nullable String stored) throws IOException {
    String bytes =
        shape
            .replace('<', (char) 1)
            .replace('|', (char) 2)
            .replace('>', (char) 3)
            .replace('$', (char) 4);
    Document document = new Document();
    document.add(new SortedDocValuesField(DerivedSources.SHAPE, new BytesRef(bytes)));
    document.add(new SortedNumericDocValuesField("n", 5));
    document.add(new SortedSetDocValuesField("k", new BytesRef("a")));
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(document);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        LeafReader segment = reader.leaves().getFirst().reader();
        byte[] list = stored == null ? null : stored.getBytes(StandardCharsets.UTF_8);
        byte[] source = Objects.requireNonNull(new SourceReader(segment).source(0, list));
        return new String(source, StandardCharsets.UTF_8);
      }
    }
  }

  @Test
  void placeholdersAreReplacedByValues() throws IOException {
    String shape = "{\"n\":<Nlin0;1.0|0|n>,\"k\":[<Kk|0|k>,$],\"x\":$}";
    assertThat(source(shape, "[\"b,]\",{\"a\":[1]}]"))
        .isEqualTo("{\"n\":5,\"k\":[\"a\",\"b,]\"],\"x\":{\"a\":[1]}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          {"n":<Nlin0;1.0|0|n                ! ! a hole without an end
          {"n":<Qlin0;1.0|0|n>}              ! ! no such rendering
          {"n":<|0|n>}                       ! ! no rendering
          {"n":<Nzin0;1.0|0|n>}              ! ! no such reading of numbers
          {"n":<Nlin0;one|0|n>}              ! ! a factor that is no number
          {"n":<Nlin0;1.0|x|n>}              ! ! a rank that is no number
          {"n":<Nlin0;1.0|-1|n>}             ! ! a rank below the first
          {"n":<Nlin0;1.0|1|n>}              ! ! a rank behind the last
          {"n":<Nlin0;1.0|0|m>}              ! ! a field without values
          {"n":<Nlin0;1.0|0|k>}              ! ! a number of terms
          {"n":<Kk|0|n>}                     ! ! a term of numbers
          {"n":<Kz|0|k>}                     ! ! no such writing of terms
          {"n":<Pmpn|0|n>}                   ! ! a date that can't be written
          {"n":<Pmjjj|0|n>}                  ! ! no format
          {"x":$}                            ! ! nothing stored
          {"x":$}                            ! [] ! an empty list
          {"x":$,"y":$}                      ! [1] ! too few values
          {"x":$}                            ! [1,2] ! too many values
          {"x":1}                            ! [1] ! a value without a place
          {"x":$}                            ! [1 ! a list without an end
          {"x":$}                            ! [1}] ! another end
          {"x":$}                            ! {1] ! another beginning
          {"x":$}                            ! ["1] ! a text without an end
          """)
  void damageIsReportedAsCorruption(String shape, @Nullable String stored, String what) {
    assertThatThrownBy(() -> source(shape, stored))
        .as(what)
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("document 0")
        .hasMessageContaining("resource=_0(");
  }

  @Test
  void sourcesThatCanNotBeSplitAreStored() {
    Mapping mapping = Mapping.parse("{\"properties\":{\"n\":{\"type\":\"long\"}}}");
    DerivedSources derived = new DerivedSources("_source");
    byte[] cut = "{\"n\":5,\"x".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 2; i++) {
      List<IndexableField> kept = new ArrayList<>();
      derived.add(cut, List.of(new SortedNumericDocValuesField("n", 5)), mapping, kept);
      assertThat(kept)
          .singleElement()
          .satisfies(field -> assertThat(field.binaryValue()).isEqualTo(new BytesRef(cut)));
    }
  }
}
