package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.clients.java.Library.Book;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch._types.Conflicts;
import org.opensearch.client.opensearch._types.FieldValue;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.SortOrder;
import org.opensearch.client.opensearch._types.Time;
import org.opensearch.client.opensearch._types.query_dsl.Query;
import org.opensearch.client.opensearch.core.CreatePitResponse;
import org.opensearch.client.opensearch.core.DeleteByQueryResponse;
import org.opensearch.client.opensearch.core.ExplainResponse;
import org.opensearch.client.opensearch.core.FieldCapsResponse;
import org.opensearch.client.opensearch.core.MsearchResponse;
import org.opensearch.client.opensearch.core.ReindexResponse;
import org.opensearch.client.opensearch.core.ScrollResponse;
import org.opensearch.client.opensearch.core.SearchResponse;
import org.opensearch.client.opensearch.core.SearchShardsResponse;
import org.opensearch.client.opensearch.core.UpdateByQueryResponse;
import org.opensearch.client.opensearch.core.search.Hit;
import org.opensearch.client.opensearch.core.search.Pit;
import org.opensearch.client.util.ObjectBuilder;

@Tag("system")
class SearchCallsTest {

  private static final Query HARBOUR =
      Query.of(q -> q.match(m -> m.field("title").query(FieldValue.of("harbour"))));

  @Test
  void searchWithAQueryAndASort() throws IOException {
    String index = Library.ofBooks("search");
    SearchResponse<Book> found =
        CLIENT.search(
            r ->
                r.index(index)
                    .query(HARBOUR)
                    .sort(s -> s.field(f -> f.field("pages").order(SortOrder.Asc)))
                    .trackTotalHits(t -> t.enabled(true)),
            Book.class);

    assertThat(found.hits().total().value()).isEqualTo(2);
    assertThat(found.hits().hits()).extracting(Hit::id).containsExactly("4", "3");
    assertThat(found.hits().hits().getFirst().source().price()).isEqualTo(7.25);
    assertThat(found.shards().failed()).isZero();
  }

  private static void assertFinds(
      String index, String ids, Function<Query.Builder, ObjectBuilder<Query>> query)
      throws IOException {
    Query asked = Query.of(query);
    SearchResponse<Book> found = CLIENT.search(r -> r.index(index).query(asked), Book.class);

    assertThat(found.hits().hits())
        .as(asked._kind().toString())
        .extracting(Hit::id)
        .containsExactlyInAnyOrder(ids.split(" "));
  }

  @Test
  void queriesThatAnalyzeTheirText() throws IOException {
    String index = Library.ofBooks("queries");

    assertFinds(index, "3", q -> q.matchPhrase(m -> m.field("title").query("quiet harbour")));
    assertFinds(index, "3 4", q -> q.multiMatch(m -> m.fields("title", "genre").query("novel")));
    assertFinds(
        index, "3", q -> q.queryString(s -> s.query("title:harbour AND pages:[300 TO 400]")));
    assertFinds(
        index, "3", q -> q.simpleQueryString(s -> s.fields("title").query("harbour + -night")));
  }

  @Test
  void queriesOfTerms() throws IOException {
    String index = Library.ofBooks("queries");

    assertFinds(index, "3 4", q -> q.term(t -> t.field("genre").value(FieldValue.of("novel"))));
    assertFinds(
        index,
        "3 4",
        q -> q.terms(t -> t.field("genre").terms(v -> v.value(List.of(FieldValue.of("novel"))))));
    assertFinds(index, "3 4", q -> q.prefix(p -> p.field("genre").value("no")));
    assertFinds(index, "3 4", q -> q.wildcard(p -> p.field("genre").value("n*l")));
    assertFinds(index, "3 4", q -> q.fuzzy(p -> p.field("genre").value(FieldValue.of("nowel"))));
    assertFinds(index, "3 4", q -> q.regexp(p -> p.field("genre").value("n.*")));
  }

  @Test
  void queriesOfDocuments() throws IOException {
    String index = Library.ofBooks("queries");

    assertFinds(index, "1 2 3 4 5", q -> q.matchAll(m -> m));
    assertFinds(index, "1 2 3 4 5", q -> q.exists(e -> e.field("genre")));
    assertFinds(index, "3", q -> q.ids(i -> i.values("3")));
  }

  @Test
  void queriesMadeOfQueries() throws IOException {
    String index = Library.ofBooks("queries");

    assertFinds(index, "3 4", q -> q.constantScore(c -> c.filter(HARBOUR)));
    assertFinds(
        index,
        "3",
        q ->
            q.bool(b ->
                b.must(HARBOUR)
                    .filter(f -> f.range(r -> r.field("pages").gte(jsonNumber(1))))
                    .mustNot(n -> n.ids(i -> i.values("4")))));
    assertFinds(index, "3 4", q -> q.disMax(m -> m.queries(HARBOUR)));
    assertFinds(
        index,
        "3 4",
        q -> q.boosting(b -> b.positive(HARBOUR).negative(HARBOUR).negativeBoost(0.5f)));
  }

  private static JsonData jsonNumber(int number) {
    return JsonData.of(number);
  }

  @Test
  void searchAfterWalksThroughAll() throws IOException {
    String index = Library.ofBooks("after");
    Set<String> seen = new HashSet<>();
    List<FieldValue> after = List.of();
    for (int page = 0; page < 3; page++) {
      List<FieldValue> from = after;
      SearchResponse<Book> found =
          CLIENT.search(
              r -> {
                r.index(index).size(2).sort(s -> s.field(f -> f.field("pages")));
                return from.isEmpty() ? r : r.searchAfter(from);
              },
              Book.class);
      found.hits().hits().forEach(hit -> seen.add(hit.id()));
      after = found.hits().hits().getLast().sort();
    }

    assertThat(seen).hasSize(5);
  }

  @Test
  void highlightCollapseAndFields() throws IOException {
    String index = Library.ofBooks("highlight");
    SearchResponse<Book> found =
        CLIENT.search(
            r ->
                r.index(index)
                    .query(HARBOUR)
                    .highlight(h -> h.fields("title", f -> f))
                    .collapse(c -> c.field("genre"))
                    .docvalueFields(f -> f.field("pages")),
            Book.class);

    Hit<Book> hit = found.hits().hits().getFirst();
    assertThat(found.hits().hits()).hasSize(1);
    assertThat(hit.highlight().get("title").getFirst()).contains("<em>harbour</em>");
    assertThat(hit.fields()).containsKeys("pages", "genre");
  }

  @Test
  void scrollAndClearScroll() throws IOException {
    String index = Library.ofBooks("scroll");
    Time life = Time.of(t -> t.time("1m"));
    SearchResponse<Book> first =
        CLIENT.search(r -> r.index(index).size(3).scroll(life), Book.class);
    ScrollResponse<Book> second =
        CLIENT.scroll(r -> r.scrollId(first.scrollId()).scroll(life), Book.class);

    assertThat(first.hits().hits()).hasSize(3);
    assertThat(second.hits().hits()).hasSize(2);
    assertThat(CLIENT.clearScroll(r -> r.scrollId(second.scrollId())).succeeded()).isTrue();
  }

  @Test
  void pointInTimeDoesNotSeeWhatComesLater() throws IOException {
    String index = Library.ofBooks("pit");
    CreatePitResponse point =
        CLIENT.createPit(r -> r.index(index).keepAlive(Time.of(t -> t.time("1m"))));
    CLIENT.delete(r -> r.index(index).id("1").refresh(Refresh.True));
    SearchResponse<Book> found =
        CLIENT.search(r -> r.pit(Pit.of(p -> p.id(point.pitId()).keepAlive("1m"))), Book.class);

    assertThat(found.hits().total().value()).isEqualTo(5);
    assertThat(CLIENT.getAllPits(r -> r).pits()).extracting(p -> p.pitId()).contains(point.pitId());
    assertThat(CLIENT.deletePit(r -> r.pitId(point.pitId())).pits().getFirst().successful())
        .isTrue();
  }

  @Test
  void deleteAllPits() throws IOException {
    String index = Library.ofBooks("pits");
    String id = CLIENT.createPit(r -> r.index(index).keepAlive(Time.of(t -> t.time("1m")))).pitId();

    assertThat(CLIENT.deleteAllPits(r -> r).pits()).extracting(p -> p.pitId()).contains(id);
    assertThat(CLIENT.getAllPits(r -> r).pits()).isEmpty();
  }

  @Test
  void msearch() throws IOException {
    String index = Library.ofBooks("msearch");
    MsearchResponse<Book> found =
        CLIENT.msearch(
            r ->
                r.searches(s -> s.header(h -> h.index(index)).body(b -> b.query(HARBOUR)))
                    .searches(
                        s -> s.header(h -> h.index("java-nowhere")).body(b -> b.query(HARBOUR))),
            Book.class);

    assertThat(found.responses().get(0).result().hits().total().value()).isEqualTo(2);
    assertThat(found.responses().get(1).isFailure()).isTrue();
    assertThat(found.responses().get(1).failure().status()).isEqualTo(404);
  }

  @Test
  void count() throws IOException {
    String index = Library.ofBooks("count");

    assertThat(CLIENT.count(r -> r.index(index).query(HARBOUR)).count()).isEqualTo(2);
  }

  @Test
  void explain() throws IOException {
    String index = Library.ofBooks("explain");
    ExplainResponse<Book> explained =
        CLIENT.explain(r -> r.index(index).id("3").query(HARBOUR), Book.class);

    assertThat(explained.matched()).isTrue();
    assertThat(explained.explanation().value()).isEqualTo(score(index, "3"));
  }

  private static float score(String index, String id) throws IOException {
    return CLIENT.search(r -> r.index(index).query(HARBOUR), Book.class).hits().hits().stream()
        .filter(hit -> hit.id().equals(id))
        .findFirst()
        .orElseThrow()
        .score()
        .floatValue();
  }

  @Test
  void fieldCaps() throws IOException {
    String index = Library.ofBooks("caps");
    FieldCapsResponse caps = CLIENT.fieldCaps(r -> r.index(index).fields("*"));

    assertThat(caps.fields().get("pages").get("integer").aggregatable()).isTrue();
    assertThat(caps.fields().get("title").get("text").aggregatable()).isFalse();
  }

  @Test
  void searchShards() throws IOException {
    String index = Library.ofBooks("shards");
    SearchShardsResponse shards = CLIENT.searchShards(r -> r.index(index));

    assertThat(shards.shards())
        .hasSize(2)
        .allSatisfy(copies ->
            assertThat(copies)
                .singleElement()
                .satisfies(copy -> assertThat(copy.primary()).isTrue())
                .satisfies(copy -> assertThat(shards.nodes()).containsKey(copy.node())));
    assertThat(shards.nodes().values()).extracting(node -> node.name()).containsExactly("shard");
  }

  @Test
  void validateQuery() throws IOException {
    String index = Library.ofBooks("validate");

    assertThat(CLIENT.indices().validateQuery(r -> r.index(index).query(HARBOUR)).valid()).isTrue();
  }

  @Test
  void deleteByQuery() throws IOException {
    String index = Library.ofBooks("dbq");
    DeleteByQueryResponse done =
        CLIENT.deleteByQuery(
            r -> r.index(index).query(HARBOUR).conflicts(Conflicts.Proceed).refresh(Refresh.True));

    assertThat(done.deleted()).isEqualTo(2);
    assertThat(CLIENT.count(r -> r.index(index)).count()).isEqualTo(3);
  }

  @Test
  void updateByQuery() throws IOException {
    String index = Library.ofBooks("ubq");
    UpdateByQueryResponse done =
        CLIENT.updateByQuery(r -> r.index(index).query(HARBOUR).conflicts(Conflicts.Proceed));

    assertThat(done.updated()).isEqualTo(2);
  }

  @Test
  void reindex() throws IOException {
    String index = Library.ofBooks("from");
    String copy = Library.empty("to");
    ReindexResponse done =
        CLIENT.reindex(r ->
            r.source(s -> s.index(index).query(HARBOUR))
                .dest(d -> d.index(copy))
                .refresh(Refresh.True));

    assertThat(done.created()).isEqualTo(2);
    assertThat(CLIENT.count(r -> r.index(copy)).count()).isEqualTo(2);
  }

  @Test
  void reindexInTheBackgroundIsATask() throws IOException {
    String index = Library.ofBooks("from");
    String copy = Library.empty("to");
    ReindexResponse started =
        CLIENT.reindex(
            r -> r.source(s -> s.index(index)).dest(d -> d.index(copy)).waitForCompletion(false));

    assertThat(
            CLIENT.tasks().get(r -> r.taskId(started.task()).waitForCompletion(true)).completed())
        .isTrue();
  }
}
