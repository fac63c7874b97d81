package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.fields.NestedDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NestedDocumentsTest {

  private static final String MAPPING =
      """
      {"properties":{"comments":{"type":"nested","properties":{
        "by":{"type":"keyword"},"stars":{"type":"integer"},
        "replies":{"type":"nested","properties":{"by":{"type":"keyword"}}}}}}}
      """;

  @TempDir Path directory;
  private EngineFixture shard;

  @BeforeEach
  void open() {
    shard = new EngineFixture(directory, MAPPING);
  }

  @AfterEach
  void close() {
    shard.close();
  }

  private int count(Query query) {
    shard.refresh();
    try (SearchView view = shard.engine.acquireView()) {
      return view.searcher().count(query);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String comments(String... names) {
    StringBuilder json = new StringBuilder("{\"comments\":[");
    for (String name : names) {
      json.append(json.toString().endsWith("[") ? "" : ",")
          .append("{\"by\":\"")
          .append(name)
          .append("\",\"stars\":5,\"replies\":{\"by\":\"me\"}}");
    }
    return json.append("]}").toString();
  }

  @Test
  void eachObjectIsADocumentOfItsOwn() {
    shard.index("1", comments("ann", "bob"));
    assertThat(count(NestedDocuments.roots())).isEqualTo(1);
    assertThat(count(NestedDocuments.at("comments"))).isEqualTo(2);
    assertThat(count(NestedDocuments.at("comments.replies"))).isEqualTo(2);
    Query ann =
        new BooleanQuery.Builder()
            .add(NestedDocuments.at("comments"), BooleanClause.Occur.FILTER)
            .add(new TermQuery(new Term("comments.by", "ann")), BooleanClause.Occur.MUST)
            .build();
    assertThat(count(ann)).isEqualTo(1);
  }

  @Test
  void nestedObjectsAreDeletedWithTheirDocument() {
    shard.index("1", comments("ann", "bob"));
    shard.refresh();
    shard.index("1", comments("cid"));
    assertThat(count(NestedDocuments.at("comments"))).isEqualTo(1);
    shard.delete("1");
    assertThat(count(NestedDocuments.at("comments"))).isZero();
    assertThat(shard.engine.get("1", true).found()).isFalse();
  }

  @Test
  void gettingAnIdFindsTheDocumentAndNotItsNestedObjects() {
    shard.index("1", comments("ann", "bob"));
    shard.refresh();
    assertThat(shard.engine.get("1", true).found()).isTrue();
    assertThat(shard.engine.get("1", true).version()).isEqualTo(1);
    shard.update("1", "{\"doc\":{\"title\":\"t\"}}");
    shard.refresh();
    assertThat(shard.engine.get("1", false).version()).isEqualTo(2);
    assertThat(count(NestedDocuments.at("comments"))).isEqualTo(2);
  }

  @Test
  void replayIndexesTheSameBlocks() {
    shard.index("1", comments("ann", "bob"));
    shard.index("2", comments("cid"));
    shard.restart();
    assertThat(count(NestedDocuments.roots())).isEqualTo(2);
    assertThat(count(NestedDocuments.at("comments"))).isEqualTo(3);
  }

  @Test
  void theLogContainsTheWholeSourceWhateverIsStored() {
    shard.close();
    shard =
        new EngineFixture(
            directory.resolve("filtered"), "{\"_source\":{\"excludes\":[\"secret\"]}}");
    shard.index("1", "{\"a\":1,\"secret\":2}");
    byte[] logged = shard.log.getLast().source();
    assertThat(new String(logged, StandardCharsets.UTF_8)).contains("secret");
    shard.refresh();
    for (boolean realtime : new boolean[] {true, false}) {
      byte[] shown = shard.engine.get("1", realtime).source();
      assertThat(new String(shown, StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
    }
  }
}
