package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.search.IndexView;
import io.varve.engine.search.SearchSlices;
import io.varve.engine.search.ShardSearcher;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.engine.source.DerivedSources;
import io.varve.events.Manifest;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.WriteResult;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ReservedNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources are reproduced byte for byte, and values in doc values are not stored again. */
class DerivedSourceTest {

  private static final Map<String, String> DERIVED = Map.of("index.derived_source.enabled", "true");
  private static final ForceMergeRequest TO_ONE = new ForceMergeRequest(1, false, false);
  private static final String NOTHING = "nothing";

  private static final String MAPPING =
      """
      {"date_detection":true,"properties":{
       "long":{"type":"long"},"byte":{"type":"byte"},"big":{"type":"unsigned_long"},
       "double":{"type":"double"},"float":{"type":"float"},"half":{"type":"half_float"},
       "cents":{"type":"scaled_float","scaling_factor":100},"thirds":{"type":"scaled_float","scaling_factor":3},
       "yes":{"type":"boolean"},"date":{"type":"date"},"nanos":{"type":"date_nanos"},
       "day":{"type":"date","format":"dd/MMM/yyyy||yyyy-MM-dd HH:mm:ss||epoch_second"},
       "padded":{"type":"date","format":"uuuu-MM-pd||epoch_millis"},
       "word":{"type":"keyword","ignore_above":10},"lower":{"type":"keyword","normalizer":"lowercase"},
       "pattern":{"type":"wildcard"},"same":{"type":"constant_keyword","value":"always"},
       "text":{"type":"text"},"both":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":10}}},
       "ip":{"type":"ip"},"point":{"type":"geo_point"},"bytes":{"type":"binary","doc_values":true},
       "range":{"type":"integer_range"},"bare":{"type":"long","doc_values":false},
       "copied":{"type":"keyword","copy_to":"word"},"other":{"type":"long","null_value":7},
       "loose":{"type":"long","ignore_malformed":true},"name":{"type":"alias","path":"word"},
       "flat":{"type":"flat_object"},"off":{"type":"object","enabled":false},
       "nested":{"type":"nested","properties":{"n":{"type":"long"}}},
       "object":{"properties":{"n":{"type":"long"},"deep":{"properties":{"word":{"type":"keyword"}}}}},
       "closed":{"type":"object","dynamic":false,"properties":{"n":{"type":"long"}}}}}
      """;

  @TempDir Path folder;

  private EngineFixture fixture(String mapping) {
    return new EngineFixture(folder, mapping, 1, DERIVED);
  }

  /** The stored part of a visible document's source: {@code nothing}, a list, or all of it. */
  private static String stored(EngineFixture fixture, String id) throws IOException {
    try (SearchView view = fixture.engine.acquireView()) {
      for (LeafReaderContext leaf : view.searcher().getIndexReader().leaves()) {
        var postings = leaf.reader().postings(new Term("_id", id));
        for (int doc = postings == null ? DocIdSetIterator.NO_MORE_DOCS : postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          var live = leaf.reader().getLiveDocs();
          if (live == null || live.get(doc)) {
            BytesRef source = leaf.reader().storedFields().document(doc).getBinaryValue("_source");
            if (source != null || shape(leaf, doc) != null) {
              return source == null ? NOTHING : source.utf8ToString();
            }
          }
        }
      }
    }
    throw new AssertionError("no document " + id);
  }

  private static @Nullable BytesRef shape(LeafReaderContext leaf, int doc) throws IOException {
    SortedDocValues shapes = leaf.reader().getSortedDocValues(DerivedSources.SHAPE);
    return shapes != null && shapes.advanceExact(doc) ? shapes.lookupOrd(shapes.ordValue()) : null;
  }

  /** A shape is used from its second occurrence on. */
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
  void nothingIsStoredOfWhatDocValuesHave(String source) throws IOException {
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
  void theRestIsStoredAsItCame(String source, String stored) throws IOException {
    try (EngineFixture fixture = fixture(MAPPING)) {
      assertThat(storedTheSecondTime(fixture, source)).isEqualTo(stored);
    }
  }

  @Test
  void aSourceIsStoredWholeWhenItsShapeIsNewOrNothingOfItIsInDocValues() throws IOException {
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

  /** Otherwise it would be in the log, and no shard could index it. */
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
  void noDocumentHasAFieldThatAnIndexKeepsForItself(String source, String reason)
      throws IOException {
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
  void everyFieldThatNoMappingNamesIsReserved() throws IOException {
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
  void onlyWhatTheMappingKeepsOfASourceIsKept() throws IOException {
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

  @Test
  void updatesAndRealtimeGetsSeeTheWholeDocument() throws IOException {
    try (EngineFixture fixture = fixture("{}")) {
      for (int i = 0; i < 3; i++) {
        fixture.index("id" + i, "{\"n\":" + i + ",\"tags\":[\"b\",\"a\",\"b\"],\"x\":1.0}");
      }
      assertThat(EngineFixture.source(fixture.engine, "id2", true))
          .isEqualTo("{\"n\":2,\"tags\":[\"b\",\"a\",\"b\"],\"x\":1.0}");
      fixture.refresh();
      fixture.engine.commit(fixture.checkpoint());
      fixture.update("id2", "{\"doc\":{\"n\":5}}");
      String updated = "{\"n\":5,\"tags\":[\"b\",\"a\",\"b\"],\"x\":1.0}";
      assertThat(EngineFixture.source(fixture.engine, "id2", true)).isEqualTo(updated);
      fixture.restart();
      fixture.refresh();
      assertThat(EngineFixture.source(fixture.engine, "id2", false)).isEqualTo(updated);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everySourceComesBackAfterDeletesUpdatesAndMerges(long seed) throws IOException {
    RandomDocuments random = new RandomDocuments(new Random(seed));
    Map<String, String> expected = new HashMap<>();
    Map<String, String> settings = new HashMap<>(DERIVED);
    String mapping = MAPPING_OF_RANDOM;
    if (seed % 2 == 0) {
      // Nested documents can't be combined with an index sort.
      settings.put("index.sort.field", "long");
      mapping = mapping.replace("\"nested\",", "\"object\",");
    }
    try (EngineFixture fixture = new EngineFixture(folder, mapping, 1, settings)) {
      for (int i = 0; i < 3000; i++) {
        String id = "id" + random.number(1200);
        if (random.number(10) == 0) {
          fixture.delete(id);
          expected.remove(id);
        } else {
          String source = random.document();
          assertThat(fixture.index(id, source))
              .as("seed %s: %s", seed, source)
              .isInstanceOf(WriteResult.Done.class);
          expected.put(id, source);
        }
        if (random.number(300) == 0) {
          fixture.refresh();
        }
      }
      fixture.refresh();
      assertSources(fixture.engine, expected, seed);
      assertThat(derivedDocuments(fixture)).as("seed %s", seed).isGreaterThan(200);
      fixture.engine.forceMerge(TO_ONE);
      fixture.refresh();
      assertSources(fixture.engine, expected, seed);
    }
  }

  private static int derivedDocuments(EngineFixture fixture) throws IOException {
    int derived = 0;
    try (SearchView view = fixture.engine.acquireView()) {
      for (LeafReaderContext leaf : view.searcher().getIndexReader().leaves()) {
        for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
          derived += shape(leaf, doc) == null ? 0 : 1;
        }
      }
    }
    return derived;
  }

  private static void assertSources(SearchableCopy copy, Map<String, String> expected, long seed) {
    expected.forEach((id, source) ->
        assertThat(EngineFixture.source(copy, id, false))
            .as("seed %s, %s", seed, id)
            .isEqualTo(source));
  }

  @Test
  void aReplicaThatCopiesSegmentsReadsTheSame() throws IOException {
    Map<String, String> expected = new HashMap<>();
    try (EngineFixture fixture = fixture(MAPPING)) {
      for (int i = 0; i < 50; i++) {
        String source = "{\"long\":" + i + ",\"text\":\"number " + i + "\",\"cents\":" + i + ".50}";
        fixture.index("id" + i, source);
        expected.put("id" + i, source);
      }
      Path copy = folder.resolve("copy");
      try (Snapshot snapshot = fixture.engine.refresh(fixture.checkpoint());
          SegmentEngine replica =
              SegmentEngine.open(new EngineConfig(EngineFixture.SHARD, copy, 0, DERIVED))) {
        assertThat(snapshot).isNotNull();
        Manifest manifest = fixture.manifest(snapshot);
        EngineFixture.copyFiles(snapshot, copy);
        replica.install(manifest);
        assertSources(replica, expected, 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"_source\":[\"long\"]}",
        "{\"_source\":\"point.lat\"}",
        "{\"_source\":[\"object\",\"both\"]}",
        "{\"_source\":{\"includes\":[\"*\"],\"excludes\":[\"object.deep\"]}}",
        "{\"_source\":[\"long\"],\"fields\":[\"cents\",\"date\",\"both.raw\"]}",
        "{\"_source\":[\"long\"],\"query\":{\"match\":{\"both\":\"number\"}},\"highlight\":{\"fields\":{\"both\":{}}}}",
        "{\"query\":{\"nested\":{\"path\":\"nested\",\"query\":{\"match_all\":{}},\"inner_hits\":{}}}}",
        "{\"sort\":[{\"cents\":\"desc\"}],\"size\":3}",
        "{\"collapse\":{\"field\":\"word\"},\"docvalue_fields\":[\"long\"]}"
      })
  void searchesShowTheSameAsIfSourcesWereStored(String body) throws IOException {
    assertThat(hits(DERIVED, folder.resolve("derived"), body))
        .isEqualTo(hits(Map.of(), folder.resolve("stored"), body))
        .isNotEmpty();
  }

  private static List<String> hits(Map<String, String> settings, Path folder, String body)
      throws IOException {
    SearchRequest request = SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
    List<String> shown = new ArrayList<>();
    try (EngineFixture fixture = new EngineFixture(folder, MAPPING, 1, settings)) {
      for (int i = 0; i < 90; i++) {
        fixture.index(
            "id" + i,
            "{\"long\":%1$d,\"word\":\"w%2$d\",\"both\":\"number %1$d\",\"cents\":%1$d.50,\"date\":\"2020-01-01\","
                    .formatted(i, i % 7)
                + "\"point\":[1.5,%1$d],\"nested\":[{\"n\":%1$d}],\"object\":{\"n\":[%1$d],\"deep\":{\"word\":\"x\"}}}"
                    .formatted(i));
        if (i % 40 == 39) {
          fixture.refresh();
        }
      }
      fixture.refresh();
      try (SearchView view = fixture.engine.acquireView()) {
        ShardSearchResult result =
            new ShardSearcher(MemoryBreaker.unbounded(), SearchSlices.none(), System::nanoTime)
                .search(
                    view.searcher(),
                    IndexView.of(Mapping.parse(MAPPING)),
                    new ShardSearchRequest(request, 0));
        for (ShardHit hit : result.hits()) {
          byte[] source = request.parts().source().apply(Objects.requireNonNull(hit.source()));
          StringBuilder one =
              new StringBuilder(hit.id()).append(new String(source, StandardCharsets.UTF_8));
          hit.extras()
              .parts()
              .forEach(part ->
                  one.append(part.name()).append(new String(part.json(), StandardCharsets.UTF_8)));
          shown.add(one.toString());
        }
      }
    }
    return shown;
  }

  private static final String MAPPING_OF_RANDOM =
      """
      {"dynamic":false,"properties":{"long":{"type":"long"},"word":{"type":"keyword","ignore_above":8},
       "text":{"type":"text","fields":{"raw":{"type":"keyword","ignore_above":12}}},"double":{"type":"double"},
       "float":{"type":"float"},"cents":{"type":"scaled_float","scaling_factor":100},"yes":{"type":"boolean"},
       "date":{"type":"date"},"nanos":{"type":"date_nanos"},"ip":{"type":"ip"},"point":{"type":"geo_point"},
       "object":{"properties":{"a":{"type":"integer"},"b":{"type":"keyword"}}},
       "nested":{"type":"nested","properties":{"n":{"type":"long"},"w":{"type":"keyword"}}}}}
      """;

  /** Random documents of a few kinds, with values in every notation. */
  private static final class RandomDocuments {

    private final Random random;

    RandomDocuments(Random random) {
      this.random = random;
    }

    int number(int below) {
      return random.nextInt(below);
    }

    String document() {
      List<String> fields = new ArrayList<>();
      fields.add("\"long\":" + whole());
      String[] names = {
        "word",
        "text",
        "double",
        "float",
        "cents",
        "yes",
        "date",
        "nanos",
        "ip",
        "point",
        "object",
        "nested",
        "unmapped"
      };
      for (int i = 0, n = 1 + number(3), first = number(names.length); i < n; i++) {
        String name = names[(first + i) % names.length];
        fields.add("\"" + name + "\":" + value(name));
      }
      return "{" + String.join(number(20) == 0 ? " , " : ",", fields) + "}";
    }

    private String value(String name) {
      int form = number(12);
      if (form == 0) {
        return "null";
      }
      if (form < 3 && !name.equals("point")) {
        List<String> values = new ArrayList<>();
        for (int i = number(form == 1 ? 4 : 12); i > 0; i--) {
          values.add(one(name));
        }
        return "[" + String.join(",", values) + "]";
      }
      return one(name);
    }

    private String one(String name) {
      return switch (name) {
        case "word", "text" -> text();
        case "double", "float" -> decimal();
        case "cents" -> number(3) == 0 ? decimal() : (number(1000) - 500) / 100.0 + "";
        case "yes" -> number(2) == 0 ? "true" : "false";
        case "date" -> date(4);
        case "nanos" -> date(10);
        case "ip" ->
            number(2) == 0 ? "\"10.0.0." + number(256) + "\"" : "\"fe80::" + number(10) + "\"";
        case "point" -> point();
        case "object" -> "{\"a\":" + number(100) + ",\"b\":" + text() + "}";
        case "nested" -> "{\"n\":" + whole() + ",\"w\":" + text() + "}";
        default -> number(2) == 0 ? "{\"x\":[" + text() + "]}" : decimal();
      };
    }

    private String whole() {
      return switch (number(4)) {
        case 0 -> Long.toString(random.nextLong());
        case 1 -> "\"" + number(100) + "\"";
        default -> Integer.toString(number(1000));
      };
    }

    private String decimal() {
      return switch (number(6)) {
        case 0 -> Double.toString(random.nextGaussian());
        case 1 -> Float.toString((float) random.nextGaussian());
        case 2 -> number(100) + "." + number(10) + "0";
        case 3 -> number(9) + "e" + number(10);
        case 4 -> Double.toString(random.nextDouble() * 1e-6);
        default -> Integer.toString(number(100));
      };
    }

    private String text() {
      StringBuilder text = new StringBuilder("\"");
      for (int i = number(14); i > 0; i--) {
        text.append(
            switch (number(24)) {
              case 0 -> "\\u00e4";
              case 1 -> "ä";
              case 2 -> "\\n";
              case 3 -> "\\\"";
              case 4 -> "𝄞";
              case 5 -> "\\u001F";
              case 6 -> "]";
              case 7 -> ",";
              default -> String.valueOf((char) ('a' + number(3)));
            });
      }
      return text.append('"').toString();
    }

    private String date(int mostDigits) {
      String time =
          LocalDateTime.ofEpochSecond(number(2_000_000_000), 0, ZoneOffset.UTC)
              .format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
      StringBuilder fraction = new StringBuilder();
      for (int i = number(mostDigits); i > 0; i--) {
        fraction.append(fraction.isEmpty() ? "." : "").append(number(10));
      }
      return switch (number(5)) {
        case 0 -> Long.toString(number(2_000_000_000) * 1000L);
        case 1 -> "\"" + time + fraction + "Z\"";
        case 2 -> "\"" + time + fraction + "-03:30\"";
        case 3 -> "\"" + time.substring(0, 10) + "\"";
        default -> "\"" + time + "\"";
      };
    }

    private String point() {
      String lat = Double.toString(number(180_000_000) / 1e6 - 90);
      String lon =
          number(2) == 0
              ? Double.toString((float) (random.nextDouble() * 360 - 180))
              : Double.toString(number(360_000) / 1e3 - 180);
      return switch (number(4)) {
        case 0 -> "[" + lon + "," + lat + "]";
        case 1 -> "{\"lat\":" + lat + ",\"lon\":" + lon + "}";
        case 2 -> "\"" + lat + "," + lon + "\"";
        default -> "[[" + lon + "," + lat + "],[1,2]]";
      };
    }
  }
}
