package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.search.IndexView;
import io.varve.engine.search.SearchSlices;
import io.varve.engine.search.ShardSearcher;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.events.Manifest;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.WriteResult;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.index.LeafReaderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Derived sources are read as they were sent: by gets, updates, searches, merges and replicas. */
class DerivedSourceReadsTest extends DerivedSourceWorld {
  private static final ForceMergeRequest TO_ONE = new ForceMergeRequest(1, false, false);

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
  void sourcesAreUnchangedAfterDeletesUpdatesAndMerges(long seed) throws IOException {
    RandomDocuments random = new RandomDocuments(new Random(seed));
    Map<String, String> expected = new HashMap<>();
    Map<String, String> settings = new HashMap<>(DERIVED);
    String mapping = RandomDocuments.MAPPING;
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
}
