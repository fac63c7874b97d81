package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.clients.java.Library.Book;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.ExpandWildcard;
import org.opensearch.client.opensearch._types.OpenSearchException;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch.indices.AnalyzeResponse;
import org.opensearch.client.opensearch.indices.IndexState;
import org.opensearch.client.opensearch.indices.IndicesStatsResponse;
import org.opensearch.client.opensearch.indices.OpenSearchIndicesClient;
import org.opensearch.client.opensearch.indices.ResolveIndexResponse;
import org.opensearch.client.opensearch.indices.RolloverResponse;
import org.opensearch.client.opensearch.indices.add_block.IndicesBlockOptions;

@Tag("system")
class IndexCallsTest {

  private static final OpenSearchIndicesClient INDICES = CLIENT.indices();

  @Test
  void createExistsAndDelete() throws IOException {
    String index = Library.name("life");

    assertThat(INDICES.create(r -> r.index(index)).shardsAcknowledged()).isTrue();
    assertThat(INDICES.exists(r -> r.index(index)).value()).isTrue();
    assertThat(INDICES.delete(r -> r.index(index)).acknowledged()).isTrue();
    assertThat(INDICES.exists(r -> r.index(index)).value()).isFalse();
  }

  @Test
  void createWithAnAnalyzerAndAnAlias() throws IOException {
    String index = Library.name("made");
    INDICES.create(r ->
        r.index(index)
            .aliases(index + "-alias", a -> a.isWriteIndex(true))
            .settings(s ->
                s.numberOfShards(1)
                    .refreshInterval(t -> t.time("5s"))
                    .analysis(a ->
                        a.analyzer(
                            "folded",
                            n ->
                                n.custom(c ->
                                    c.tokenizer("standard")
                                        .filter("lowercase", "asciifolding"))))));

    assertThat(INDICES.existsAlias(r -> r.name(index + "-alias")).value()).isTrue();
    assertThat(
            INDICES
                .analyze(r -> r.index(index).analyzer("folded").text("\u00c9t\u00e9"))
                .tokens()
                .getFirst()
                .token())
        .isEqualTo("ete");
  }

  @Test
  void get() throws IOException {
    String index = Library.empty("get");
    IndexState state = INDICES.get(r -> r.index(index)).result().get(index);

    assertThat(state.mappings().properties()).containsKeys("title", "pages");
    assertThat(state.settings().index().numberOfShards()).isEqualTo(2);
  }

  @Test
  void putAndGetMapping() throws IOException {
    String index = Library.empty("mapping");

    assertThat(
            INDICES
                .putMapping(r -> r.index(index).properties("isbn", p -> p.keyword(k -> k)))
                .acknowledged())
        .isTrue();
    assertThat(INDICES.getMapping(r -> r.index(index)).result().get(index).mappings().properties())
        .containsKey("isbn");
    assertThat(
            INDICES
                .getFieldMapping(r -> r.index(index).fields("isbn"))
                .result()
                .get(index)
                .mappings())
        .containsKey("isbn");
  }

  @Test
  void putAndGetSettings() throws IOException {
    String index = Library.empty("settings");
    INDICES.putSettings(r -> r.index(index).settings(s -> s.refreshInterval(t -> t.time("7s"))));

    assertThat(
            INDICES
                .getSettings(r -> r.index(index))
                .result()
                .get(index)
                .settings()
                .index()
                .refreshInterval()
                .time())
        .isEqualTo("7s");
  }

  @Test
  void refreshFlushForcemergeAndClearCache() throws IOException {
    String index = Library.ofBooks("care");

    assertThat(INDICES.refresh(r -> r.index(index)).shards().failed()).isZero();
    assertThat(INDICES.flush(r -> r.index(index)).shards().successful()).isEqualTo(2);
    assertThat(INDICES.forcemerge(r -> r.index(index).maxNumSegments(1L)).shards().failed())
        .isZero();
    assertThat(INDICES.clearCache(r -> r.index(index)).shards().failed()).isZero();
  }

  @Test
  void stats() throws IOException {
    String index = Library.ofBooks("stats");
    IndicesStatsResponse stats = INDICES.stats(r -> r.index(index));

    assertThat(stats.indices().get(index).primaries().docs().count()).isEqualTo(5);
    assertThat(stats.all().total().indexing().indexTotal()).isEqualTo(5);
  }

  @Test
  void statsOfEachShard() throws IOException {
    String index = Library.ofBooks("shardstats");

    assertThat(
            INDICES
                .stats(
                    r -> r.index(index).level(org.opensearch.client.opensearch._types.Level.Shards))
                .indices()
                .get(index)
                .shards())
        .hasSize(2);
  }

  @Test
  void segmentsAndRecovery() throws IOException {
    String index = Library.ofBooks("segments");

    assertThat(INDICES.segments(r -> r.index(index)).indices()).containsKey(index);
    assertThat(INDICES.recovery(r -> r.index(index)).result()).containsKey(index);
  }

  @Test
  void closeAndOpen() throws IOException {
    String index = Library.ofBooks("close");

    assertThat(INDICES.close(r -> r.index(index)).acknowledged()).isTrue();
    assertThat(INDICES.open(r -> r.index(index)).acknowledged()).isTrue();
    assertThat(CLIENT.count(r -> r.index(index)).count()).isEqualTo(5);
  }

  @Test
  void addBlock() throws IOException {
    String index = Library.ofBooks("block");

    assertThat(
            INDICES
                .addBlock(r -> r.index(index).block(IndicesBlockOptions.Write))
                .indices()
                .getFirst()
                .blocked())
        .isTrue();
  }

  @Test
  void aliases() throws IOException {
    String index = Library.ofBooks("aliased");
    String alias = index + "-alias";
    INDICES.putAlias(r ->
        r.index(index)
            .name(alias)
            .filter(q -> q.term(t -> t.field("genre").value(v -> v.stringValue("novel")))));

    assertThat(CLIENT.count(r -> r.index(alias)).count()).isEqualTo(2);
    assertThat(INDICES.getAlias(r -> r.name(alias)).result().get(index).aliases())
        .containsKey(alias);
    assertThat(INDICES.deleteAlias(r -> r.index(index).name(alias)).acknowledged()).isTrue();
    assertThat(INDICES.existsAlias(r -> r.name(alias)).value()).isFalse();
  }

  @Test
  void updateAliasesMovesAnAlias() throws IOException {
    String from = Library.ofBooks("from");
    String to = Library.empty("to");
    String alias = from + "-alias";
    INDICES.putAlias(r -> r.index(from).name(alias));
    INDICES.updateAliases(r ->
        r.actions(a -> a.remove(m -> m.index(from).alias(alias)))
            .actions(a -> a.add(m -> m.index(to).alias(alias))));

    assertThat(CLIENT.count(r -> r.index(alias)).count()).isZero();
  }

  @Test
  void legacyTemplates() throws IOException {
    String name = Library.name("legacy");
    INDICES.putTemplate(r ->
        r.name(name)
            .indexPatterns(name + "-*")
            .mappings(m -> m.properties("x", p -> p.keyword(k -> k))));

    assertThat(INDICES.existsTemplate(r -> r.name(name)).value()).isTrue();
    assertThat(INDICES.getTemplate(r -> r.name(name)).result().get(name).indexPatterns())
        .containsExactly(name + "-*");
    INDICES.create(r -> r.index(name + "-1"));
    assertThat(
            INDICES
                .getMapping(r -> r.index(name + "-1"))
                .result()
                .get(name + "-1")
                .mappings()
                .properties())
        .containsKey("x");
    assertThat(INDICES.deleteTemplate(r -> r.name(name)).acknowledged()).isTrue();
  }

  @Test
  void composableTemplatesOfComponents() throws IOException {
    String name = Library.name("composed");
    CLIENT
        .cluster()
        .putComponentTemplate(r ->
            r.name(name + "-part")
                .template(t -> t.mappings(m -> m.properties("y", p -> p.keyword(k -> k)))));
    INDICES.putIndexTemplate(r ->
        r.name(name)
            .indexPatterns(name + "-*")
            .priority(5)
            .composedOf(name + "-part")
            .template(t -> t.settings(s -> s.numberOfShards(3))));

    assertThat(CLIENT.cluster().existsComponentTemplate(r -> r.name(name + "-part")).value())
        .isTrue();
    assertThat(
            CLIENT.cluster().getComponentTemplate(r -> r.name(name + "-part")).componentTemplates())
        .hasSize(1);
    assertThat(INDICES.existsIndexTemplate(r -> r.name(name)).value()).isTrue();
    assertThat(
            INDICES
                .getIndexTemplate(r -> r.name(name))
                .indexTemplates()
                .getFirst()
                .indexTemplate()
                .composedOf())
        .containsExactly(name + "-part");
    assertThat(
            INDICES
                .simulateIndexTemplate(r -> r.name(name + "-1"))
                .template()
                .mappings()
                .properties())
        .containsKey("y");
    assertThat(
            INDICES
                .simulateTemplate(r ->
                    r.template(t ->
                        t.indexPatterns(name + "-other-*").composedOf(name + "-part").priority(6L)))
                .template()
                .mappings()
                .properties())
        .containsKey("y");
    assertThat(INDICES.deleteIndexTemplate(r -> r.name(name)).acknowledged()).isTrue();
    assertThat(CLIENT.cluster().deleteComponentTemplate(r -> r.name(name + "-part")).acknowledged())
        .isTrue();
  }

  @Test
  void rollover() throws IOException {
    String name = Library.name("rolled");
    INDICES.create(r -> r.index(name + "-000001").aliases(name, a -> a.isWriteIndex(true)));
    CLIENT.index(
        r -> r.index(name).document(new Book("x", "y", 1, 1, "2020-01-01")).refresh(Refresh.True));
    RolloverResponse rolled = INDICES.rollover(r -> r.alias(name).conditions(c -> c.maxDocs(1L)));

    assertThat(rolled.rolledOver()).isTrue();
    assertThat(rolled.newIndex()).isEqualTo(name + "-000002");
  }

  @Test
  void analyze() throws IOException {
    AnalyzeResponse analyzed = INDICES.analyze(r -> r.analyzer("standard").text("Layers of Sand"));

    assertThat(analyzed.tokens())
        .extracting(t -> t.token())
        .containsExactly("layers", "of", "sand");
    assertThat(
            INDICES
                .analyze(r -> r.analyzer("standard").text("One two").explain(true))
                .detail()
                .analyzer()
                .tokens())
        .extracting(t -> t.token())
        .containsExactly("one", "two");
  }

  @Test
  void resolveIndex() throws IOException {
    String index = Library.empty("resolve");
    ResolveIndexResponse resolved = INDICES.resolveIndex(r -> r.name(index + "*"));

    assertThat(resolved.indices()).extracting(i -> i.name()).containsExactly(index);
    assertThat(resolved.indices().getFirst().attributes()).contains("open");
  }

  @Test
  void wildcardsFindHiddenIndicesOnRequest() throws IOException {
    String index = Library.name("hidden");
    INDICES.create(r -> r.index(index).settings(s -> s.hidden(true)));
    List<ExpandWildcard> all = List.of(ExpandWildcard.Open, ExpandWildcard.Hidden);

    assertThat(INDICES.get(r -> r.index(index + "*")).result()).isEmpty();
    assertThat(INDICES.get(r -> r.index(index + "*").expandWildcards(all)).result())
        .containsKey(index);
  }

  @Test
  void settingsUnknownToTheClientAreSent() throws IOException {
    String index = Library.name("custom");
    INDICES.create(r ->
        r.index(index).settings(s -> s.customSettings("index.max_result_window", JsonData.of(50))));

    assertThatExceptionOfType(OpenSearchException.class)
        .isThrownBy(() -> CLIENT.search(r -> r.index(index).size(51), Book.class))
        .satisfies(e -> assertThat(e.error().rootCause().getFirst().reason()).contains("[50]"));
  }
}
