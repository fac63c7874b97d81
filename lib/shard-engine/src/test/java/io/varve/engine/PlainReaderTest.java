package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.document.DocumentBlock;
import io.varve.engine.document.MappingPlan;
import io.varve.engine.document.PlainReader;
import io.varve.search.mapping.MappingRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the reader of plain documents with the general one. */
class PlainReaderTest {

  private static final MappingSource.Versioned MAPPING =
      new MappingSource.Versioned(3, HostileDocuments.MAPPING);
  private static final MappingPlan PLAN =
      MappingPlan.of(3, HostileDocuments.MAPPING, MappingRules.DEFAULT);
  private static final int DOCUMENTS = 20_000;

  private static String parsed(DocumentParser parser, byte[] source) {
    return switch (parser.parse("7", source)) {
      case Parsed.Document document ->
          "document\n" + fields(document.block().root()) + document.block().nested().size();
      case Parsed other -> other.toString();
    };
  }

  private static String fields(List<IndexableField> fields) {
    StringBuilder text = new StringBuilder();
    fields.forEach(field -> text.append(described(field)).append('\n'));
    return text.toString();
  }

  private static String described(IndexableField field) {
    BytesRef binary = field.binaryValue();
    StoredValue stored = field.storedValue();
    Object number = field.numericValue();
    return field.getClass().getSimpleName()
        + " "
        + field.name()
        + " "
        + field.fieldType()
        + " "
        + (number == null ? "" : number.getClass().getSimpleName() + number)
        + " "
        + (binary == null ? field.stringValue() : binary)
        + " "
        + (stored == null
            ? ""
            : stored.getType() == StoredValue.Type.STRING
                ? stored.getStringValue()
                : stored.getType());
  }

  private static DocumentParser parser(boolean readsPlain) {
    return new DocumentParser(() -> MAPPING, Map.of(), readsPlain);
  }

  private static boolean isPlain(String json) {
    return PlainReader.read("7", json.getBytes(StandardCharsets.UTF_8), PLAN) != null;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void generatedDocumentsHaveTheSameFieldsAsThoseOfTheGeneralReader(long seed) {
    DocumentParser fast = parser(true);
    DocumentParser general = parser(false);
    HostileDocuments documents = new HostileDocuments(new SplittableRandom(seed));
    int plain = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      byte[] source = documents.next();
      String text = new String(source, StandardCharsets.ISO_8859_1);

      assertThat(parsed(fast, source)).as(text).isEqualTo(parsed(general, source));

      DocumentBlock block = PlainReader.read("7", source, PLAN);
      plain += block == null ? 0 : 1;
    }
    assertThat(plain).isBetween(DOCUMENTS / 5, DOCUMENTS * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " { } \n",
        "{\"long\":1,\"int\":-2,\"double\":3.5,\"scaled\":0.30,\"kw\":\"abc\"}",
        "{\"day\":\"2015-01-01 00:00:00\",\"date\":\"2015-01-01T00:00:00.123Z\",\"bool\":true}",
        "{\"obj\":{\"n\":1,\"inner\":{\"s\":[\"a\",\"b\"]}},\"long\":[1,2],\"kw\":null}",
        "{\"point\":[-73.98547,40.75],\"text\":\"a \\\"quoted\\\" word\"}",
        "{\"kw\":\"\u00e4\u4e2d\"}",
        "{\"double\":12345678901234567.125}",
      })
  void aPlainDocumentIsReadInOnePass(String json) {
    assertThat(isPlain(json)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"long\":1}}",
        "{\"long\":1,}",
        "{\"long\":1 \"int\":2}",
        "{\"long\":01}",
        "{\"long\":1e3}",
        "{\"long\":-}",
        "{\"long\":-0}",
        "{\"double\":1.}",
        "{\"long\":1,\"long\":1}",
        "{\"new\":1}",
        "{\"lon\\u0067\":1}",
        "{\"kw\":\"\\u0061\"}",
        "{\"kw\":\"tab\tin it\"}",
        "{\"int\":3000000000}",
        "{\"bool\":truee}",
        "{\"copied\":1}",
        "{\"nested\":{\"n\":1}}",
        "{\"off\":{\"n\":1}}",
        "{\"range\":{\"gte\":1}}",
        "{\"alias\":1}",
        "{\"point\":[[1,2]]}",
        "{\"point\":[200,2]}",
        "{\"obj\":1}",
        "{\"obj.n\":1}",
      })
  void anyOtherDocumentIsLeftToTheGeneralReader(String json) {
    assertThat(isPlain(json)).isFalse();
  }

  @Test
  void invalidUtf8IsLeftToTheGeneralReader() {
    byte[] source = "{\"kw\":\"xx\"}".getBytes(StandardCharsets.UTF_8);
    source[8] = (byte) 0xc0;

    assertThat(PlainReader.read("7", source, PLAN)).isNull();
  }
}
