package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import io.varve.search.mapping.ReservedNames;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReaderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources are reproduced byte for byte, and values in doc values are not stored again. */
class DerivedSourceTest extends DerivedSourceWorld {
  /** Indexes the source twice, because a shape is used from its second occurrence on. */
  private static String storedTheSecondTime(EngineFixture fixture, String source)
      throws IOException {
    for (String id : List.of("first", "second")) {
      assertThat(fixture.index(id, source)).isInstanceOf(WriteResult.Done.class);
    }
    fixture.refresh();
    for (String id : List.of("first", "second")) {
      assertThat(EngineFixture.source(fixture.engine, id, false)).isEqualTo(source);
    }
    return stored(fixture, "second");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"long\":1}",
        "{\"long\":-9223372036854775808}",
        "{\"long\":\"12\"}",
        "{\"long\":1.0}",
        "{\"long\":[3,1,2,1]}",
        "{\"long\":[],\"byte\":1}",
        "{\"long\":[[1],[2,[3]]]}",
        "{\"byte\":127}",
        "{\"big\":18446744073709551615}",
        "{\"double\":1.0}",
        "{\"double\":12}",
        "{\"double\":-0.0}",
        "{\"double\":12.50}",
        "{\"double\":1.0E-10}",
        "{\"double\":0.00001}",
        "{\"double\":1234567890123.25}",
        "{\"double\":\"2.5\"}",
        "{\"float\":17.8}",
        "{\"float\":-73.92049407958984}",
        "{\"half\":0.5}",
        "{\"cents\":17.8}",
        "{\"cents\":17}",
        "{\"cents\":17.80}",
        "{\"cents\":-0.05}",
        "{\"thirds\":0.3333333333333333}",
        "{\"yes\":true}",
        "{\"yes\":[false,true]}",
        "{\"yes\":\"false\"}",
        "{\"date\":\"2015-01-01T12:10:30Z\"}",
        "{\"date\":\"2015-01-01T12:10:30.123Z\"}",
        "{\"date\":\"2015-01-01T12:10:30.100+05:30\"}",
        "{\"date\":\"2015-01-01T12:10\"}",
        "{\"date\":\"2015-01-01\"}",
        "{\"date\":\"1931-12-31T23:59:59.999-0800\"}",
        "{\"date\":1420070400001}",
        "{\"date\":\"1420070400001\"}",
        "{\"nanos\":\"2015-01-01T12:10:30.123456789Z\"}",
        "{\"nanos\":\"2015-01-01T12:10:30.123456\"}",
        "{\"nanos\":1420070400001}",
        "{\"day\":\"2015-01-31 23:59:58\"}",
        "{\"padded\":\"2015-01-9\"}",
        "{\"padded\":\"1421020800000\"}",
        "{\"day\":893964617}",
        "{\"word\":\"b\\\"\\\\\\n\\u0001\"}",
        "{\"word\":\"äöü€𝄞\"}",
        "{\"word\":\"\\u00e4\\ud834\\udd1e\"}",
        "{\"word\":[\"b\",\"a\",\"b\"]}",
        "{\"word\":12.50}",
        "{\"word\":true}",
        "{\"word\":\"\"}",
        "{\"lower\":\"abc\"}",
        "{\"same\":\"always\",\"long\":1}",
        "{\"both\":\"short\"}",
        "{\"ip\":\"10.0.0.1\"}",
        "{\"ip\":\"2001:db8::1\"}",
        "{\"point\":{\"lat\":40.712776,\"lon\":-74.005974}}",
        "{\"point\":[-73.92049407958984,40.7]}",
        "{\"point\":[-0.1234567,0.0]}",
        "{\"point\":[13.400000,52.500000]}",
        "{\"point\":[[1.5,2],[-3,-4.25]]}",
        "{\"point\":{\"lon\":180,\"lat\":-90}}",
        "{\"bytes\":\"AQID/w==\"}",
        "{\"copied\":\"z\",\"word\":\"a\"}",
        "{\"other\":null,\"long\":2}",
        "{\"loose\":5}",
        "{\"object\":{\"n\":1,\"deep\":{\"word\":\"x\"}},\"long\":null}",
        "{\"object.n\":1,\"object.deep\":{\"word\":\"x\"},\"object\":{\"deep.word\":\"y\"}}",
        "{\"object\":[{\"n\":1},{\"n\":2,\"deep\":[{},{\"word\":\"a\"}]}]}",
        "  {\n \"long\" :\t1 ,\"word\": [ \"a\" , \"b\" ]\r\n}  ",
      })
  void valuesInDocValuesAreNotStored(String source) throws IOException {
    try (EngineFixture fixture = fixture(MAPPING)) {
      assertThat(storedTheSecondTime(fixture, source)).isEqualTo(NOTHING);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"long":1,"text":"some words"}                     | ["some words"]
          {"both":"longer than the keyword","long":1}        | ["longer than the keyword"]
          {"word":"longer than ten","long":1}                | ["longer than ten"]
          {"word":["a","longer than ten"]}                   | ["longer than ten"]
          {"word":"a\\/b","long":1}                          | ["a\\/b"]
          {"lower":"ABC","long":1}                           | ["ABC"]
          {"long":[1,2,3,4,5,6,7,8,9],"byte":1}              | [[1,2,3,4,5,6,7,8,9]]
          {"double":0.1000000000000000055,"long":1}          | [0.1000000000000000055]
          {"double":1e3,"long":1}                            | [1e3]
          {"cents":1.005,"long":1}                           | [1.005]
          {"half":0.1,"long":1}                              | [0.1]
          {"long":"1.9","byte":1}                            | ["1.9"]
          {"yes":"","long":1}                                | [""]
          {"date":"2015-01-01T12:10:30.123456Z","long":1}    | ["2015-01-01T12:10:30.123456Z"]
          {"date":"2015","long":1}                           | ["2015"]
          {"day":"31/Jan/2015","long":1}                     | ["31/Jan/2015"]
          {"ip":"2001:DB8::1","long":1}                      | ["2001:DB8::1"]
          {"ip":"::ffff:1.2.3.4","long":1}                   | ["::ffff:1.2.3.4"]
          {"point":"40.7,-74","long":1}                      | ["40.7,-74"]
          {"point":[13.123456789,52.5]}                      | [13.123456789]
          {"point":[13,52,7],"long":1}                       | [7]
          {"point":{"type":"Point","coordinates":[1,2]},"long":1} | ["Point",[1,2]]
          {"range":{"gte":1,"lt":5},"long":1}                | [{"gte":1,"lt":5}]
          {"bare":12,"long":1}                               | [12]
          {"pattern":"a*b","long":1}                         | ["a*b"]
          {"loose":"x","long":1}                             | ["x"]
          {"flat":{"a":{"b":1}},"long":1}                    | [{"a":{"b":1}}]
          {"off":{"a":[1,{"b":null}]},"long":1}              | [{"a":[1,{"b":null}]}]
          {"nested":[{"n":1},{"n":2}],"long":1}              | [[{"n":1},{"n":2}]]
          {"closed":{"n":1,"unknown":{"a":[]}},"long":1}     | [{"a":[]}]
          {"l\\u006fng":4,"byte":1}                          | [4]
          """)
  void otherValuesAreStoredUnchanged(String source, String stored) throws IOException {
    try (EngineFixture fixture = fixture(MAPPING)) {
      assertThat(storedTheSecondTime(fixture, source)).isEqualTo(stored);
    }
  }

  @Test
  void aSourceIsStoredWholeWhenItsShapeIsNewOrNoValueIsInDocValues() throws IOException {
    try (EngineFixture fixture = fixture(MAPPING)) {
      fixture.index("new", "{\"long\":1}");
      fixture.refresh();
      assertThat(stored(fixture, "new")).isEqualTo("{\"long\":1}");
      for (String source : List.of("{}", "{\"text\":\"a\"}", "{\"long\":null}")) {
        assertThat(storedTheSecondTime(fixture, source)).isEqualTo(source);
      }
      String wide = "{\"off\":1,\"long\":2,\"" + "n".repeat(9000) + "\":3}";
      try (EngineFixture strange =
          new EngineFixture(
              folder.resolve("b"),
              "{\"dynamic\":false,\"properties\":{\"long\":{\"type\":\"long\"}}}",
              1,
              DERIVED)) {
        assertThat(storedTheSecondTime(strange, wide)).isEqualTo(wide);
      }
    }
  }

  /** The document is refused before it is in the log, since no shard could index it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"_source.shape":"x","n":1}    | Field [_source] is defined both as an object and a field
          {"_source_shape":"x","n":1}    | Field [_source_shape] is a metadata field and cannot be added inside a document. Use the index API request parameters.
          {"_source":{"shape":1},"n":1}  | Field [_source] is a metadata field and cannot be added inside a document. Use the index API request parameters.
          {"n":1,"copied":"x"}           | Field [_source_shape] is defined more than once
          """)
  void documentsWithReservedFieldNamesAreRefused(String source, String reason) throws IOException {
    try (EngineFixture fixture =
        fixture(
            "{\"properties\":{\"copied\":{\"type\":\"keyword\",\"copy_to\":\"_source_shape\"}}}")) {
      storedTheSecondTime(fixture, "{\"n\":1}");
      int logged = fixture.log.size();
      assertThat(fixture.index("taken", source))
          .isEqualTo(new WriteResult.Failed(ErrorBody.of(400, "mapper_parsing_exception", reason)));
      assertThat(fixture.log).hasSize(logged);
    }
  }

  @Test
  void everyFieldThatTheEngineAddsHasAReservedName() throws IOException {
    String mapping =
        """
        {"properties":{"n":{"type":"long","ignore_malformed":true},
         "nested":{"type":"nested","properties":{"n":{"type":"long"}}}}}\
        """;
    try (EngineFixture fixture = fixture(mapping)) {
      storedTheSecondTime(fixture, "{\"n\":1,\"nested\":[{\"n\":1}]}");
      fixture.index("malformed", "{\"n\":\"x\"}");
      fixture.delete("malformed");
      fixture.refresh();
      try (SearchView view = fixture.engine.acquireView()) {
        assertThat(FieldInfos.getIndexedFields(view.searcher().getIndexReader()))
            .contains("_id", "_nested_path");
        for (LeafReaderContext leaf : view.searcher().getIndexReader().leaves()) {
          for (FieldInfo field : leaf.reader().getFieldInfos()) {
            assertThat(List.of("n", "nested.n").contains(field.name))
                .as(field.name)
                .isNotEqualTo(ReservedNames.contains(field.name));
          }
        }
      }
    }
  }

  @Test
  void onlyThePartOfTheSourceThatTheMappingKeepsIsStored() throws IOException {
    String mapping =
        """
        {"_source":{"excludes":["secret"]},"properties":{"n":{"type":"long"},"secret":{"type":"keyword"}}}\
        """;
    try (EngineFixture fixture = fixture(mapping)) {
      fixture.index("a", "{\"n\":1,\"secret\":\"x\"}");
      fixture.index("b", "{\"n\":2,\"secret\":\"y\"}");
      fixture.refresh();
      assertThat(EngineFixture.source(fixture.engine, "b", false)).isEqualTo("{\"n\":2}");
      assertThat(stored(fixture, "b")).isEqualTo(NOTHING);
    }
  }
}
