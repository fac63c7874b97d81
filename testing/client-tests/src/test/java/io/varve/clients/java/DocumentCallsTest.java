package io.varve.clients.java;

import static io.varve.clients.java.Library.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.clients.java.Library.Book;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opensearch.client.opensearch._types.OpenSearchException;
import org.opensearch.client.opensearch._types.Refresh;
import org.opensearch.client.opensearch._types.Result;
import org.opensearch.client.opensearch.core.BulkResponse;
import org.opensearch.client.opensearch.core.GetResponse;
import org.opensearch.client.opensearch.core.IndexResponse;
import org.opensearch.client.opensearch.core.MgetResponse;
import org.opensearch.client.opensearch.core.UpdateResponse;
import org.opensearch.client.transport.httpclient5.ResponseException;

/** The client does not parse conflicts (409), so the caller gets an exception of the transport. */
@Tag("system")
class DocumentCallsTest {

  private static final Book BOOK = new Book("Tides", "geology", 77, 5, "2020-01-01");

  @Test
  void indexAndGet() throws IOException {
    String index = Library.empty("index");
    IndexResponse written = CLIENT.index(r -> r.index(index).id("1").document(BOOK));
    GetResponse<Book> read = CLIENT.get(r -> r.index(index).id("1"), Book.class);

    assertThat(written.result()).isEqualTo(Result.Created);
    assertThat(written.seqNo()).isZero();
    assertThat(read.found()).isTrue();
    assertThat(read.source()).isEqualTo(BOOK);
  }

  @Test
  void idsAreMade() throws IOException {
    String index = Library.empty("autoid");

    String id = CLIENT.index(r -> r.index(index).document(BOOK)).id();

    assertThat(CLIENT.index(r -> r.index(index).document(BOOK)).id()).isNotEqualTo(id);
    assertThat(CLIENT.get(r -> r.index(index).id(id), Book.class).source()).isEqualTo(BOOK);
  }

  @Test
  void createRefusesWhatIsThere() throws IOException {
    String index = Library.empty("create");
    CLIENT.create(r -> r.index(index).id("1").document(BOOK));

    assertThatExceptionOfType(ResponseException.class)
        .isThrownBy(() -> CLIENT.create(r -> r.index(index).id("1").document(BOOK)))
        .withMessageContaining("version_conflict_engine_exception")
        .satisfies(e -> assertThat(e.status()).isEqualTo(409));
  }

  @Test
  void getOfAMissingDocument() throws IOException {
    String index = Library.empty("missing");

    assertThat(CLIENT.get(r -> r.index(index).id("x"), Book.class).found()).isFalse();
  }

  @Test
  void existsOfDocumentAndSource() throws IOException {
    String index = Library.ofBooks("exists");

    assertThat(CLIENT.exists(r -> r.index(index).id("1")).value()).isTrue();
    assertThat(CLIENT.exists(r -> r.index(index).id("x")).value()).isFalse();
    assertThat(CLIENT.existsSource(r -> r.index(index).id("1")).value()).isTrue();
  }

  @Test
  void getSource() throws IOException {
    String index = Library.ofBooks("source");

    assertThat(CLIENT.getSource(r -> r.index(index).id("5"), Book.class).valueBody().title())
        .isEqualTo("Bread");
  }

  @Test
  void updateByPartAndUpsert() throws IOException {
    String index = Library.ofBooks("update");
    UpdateResponse<Book> updated =
        CLIENT.update(
            r -> r.index(index).id("1").doc(Map.of("pages", 121)).source(s -> s.fetch(true)),
            Book.class);
    UpdateResponse<Book> upserted =
        CLIENT.update(r -> r.index(index).id("9").doc(Map.of("pages", 1)).upsert(BOOK), Book.class);

    assertThat(updated.result()).isEqualTo(Result.Updated);
    assertThat(updated.get().source().pages()).isEqualTo(121);
    assertThat(upserted.result()).isEqualTo(Result.Created);
  }

  @Test
  void delete() throws IOException {
    String index = Library.ofBooks("delete");

    assertThat(CLIENT.delete(r -> r.index(index).id("1")).result()).isEqualTo(Result.Deleted);
    assertThat(CLIENT.delete(r -> r.index(index).id("1")).result()).isEqualTo(Result.NotFound);
  }

  @Test
  void aStaleSequenceNumberIsAConflict() throws IOException {
    String index = Library.ofBooks("cas");
    GetResponse<Book> read = CLIENT.get(r -> r.index(index).id("1"), Book.class);
    CLIENT.index(r ->
        r.index(index)
            .id("1")
            .ifSeqNo(read.seqNo())
            .ifPrimaryTerm(read.primaryTerm())
            .document(BOOK));

    assertThatExceptionOfType(ResponseException.class)
        .isThrownBy(() ->
            CLIENT.index(r ->
                r.index(index)
                    .id("1")
                    .ifSeqNo(read.seqNo())
                    .ifPrimaryTerm(read.primaryTerm())
                    .document(BOOK)))
        .satisfies(e -> assertThat(e.status()).isEqualTo(409));
  }

  @Test
  void mget() throws IOException {
    String index = Library.ofBooks("mget");
    MgetResponse<Book> read = CLIENT.mget(r -> r.index(index).ids("1", "x", "3"), Book.class);

    assertThat(read.docs()).hasSize(3);
    assertThat(read.docs().get(0).result().source().pages()).isEqualTo(120);
    assertThat(read.docs().get(1).result().found()).isFalse();
  }

  @Test
  void bulkOfEachKindReportsEachItem() throws IOException {
    String index = Library.ofBooks("bulk");
    BulkResponse answer =
        CLIENT.bulk(r ->
            r.index(index)
                .refresh(Refresh.True)
                .operations(o -> o.index(i -> i.id("10").document(BOOK)))
                .operations(o -> o.create(c -> c.id("1").document(BOOK)))
                .operations(o -> o.update(u -> u.id("2").document(Map.of("pages", 241))))
                .operations(o -> o.delete(u -> u.id("3"))));

    assertThat(answer.errors()).isTrue();
    assertThat(answer.items())
        .extracting(item -> item.status())
        .containsExactly(201, 409, 200, 200);
    assertThat(answer.items().get(1).error().type()).isEqualTo("version_conflict_engine_exception");
    assertThat(CLIENT.count(c -> c.index(index)).count()).isEqualTo(5);
  }

  @Test
  void aMissingIndexIsToldByItsType() {
    assertThatExceptionOfType(OpenSearchException.class)
        .isThrownBy(() -> CLIENT.get(r -> r.index("java-nowhere").id("1"), Book.class))
        .satisfies(e -> assertThat(e.error().type()).isEqualTo("index_not_found_exception"));
  }
}
