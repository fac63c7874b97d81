package io.varve.host.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.engine.SearchView;
import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import io.varve.host.search.ReaderContext.Kind;
import io.varve.host.search.ReaderContext.Place;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReaderContextsTest {

  private static final ShardId SHARD = new ShardId("u", 0);
  private static final Place PLACE = new Place(0, 0, null);
  private static final long HOUR = 3_600_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ReaderContexts contexts =
      new ReaderContexts(timer, InstantSource.system(), kind -> kind.equals("PIT") ? 2 : 3);
  private final ShardCopy copy = copy();
  private IndexReader reader;

  @BeforeEach
  void openReader() throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(new Document());
    }
    reader = DirectoryReader.open(directory);
  }

  @AfterEach
  void close() throws IOException {
    contexts.close();
    timer.shutdownNow();
    reader.close();
  }

  private static ShardCopy copy() {
    return (ShardCopy)
        Proxy.newProxyInstance(
            ShardCopy.class.getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (proxy, method, _) ->
                switch (method.getName()) {
                  case "shard" -> SHARD;
                  case "searched" -> Optional.empty();
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private SearchView view() {
    reader.incRef();
    return new SearchView(new IndexSearcher(reader), 1, 1);
  }

  private void open(Kind kind, String id, long keepAliveMillis) {
    contexts.open(kind, id, copy, view(), keepAliveMillis, PLACE).close();
  }

  @Test
  void aReaderStaysOpenUntilItsContextIsReleased() {
    open(Kind.PIT, "a", HOUR);
    assertThat(reader.getRefCount()).isEqualTo(2);

    assertThat(contexts.release("a")).isEqualTo(1);

    assertThat(reader.getRefCount()).isEqualTo(1);
    assertThat(contexts.release("a")).isZero();
  }

  @Test
  void aContextGoesWhenNobodyUsedItForItsKeepAlive() {
    open(Kind.SCROLL, "a", 1);

    await().atMost(Duration.ofMinutes(1)).until(() -> reader.getRefCount() == 1);

    assertThatThrownBy(() -> contexts.use("a", SHARD, 0))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("No search context found for id [a]");
  }

  @Test
  void aContextThatIsSearchedGoesWhenTheSearchGivesItBack() {
    open(Kind.SCROLL, "a", HOUR);
    try (ReaderContexts.Lease lease = contexts.use("a", SHARD, 0)) {
      contexts.release("a");
      assertThat(lease.context.view.searcher().getIndexReader().getRefCount()).isEqualTo(2);
    }
    assertThat(reader.getRefCount()).isEqualTo(1);
  }

  @Test
  void aPointInTimeIsNeverShortened() {
    open(Kind.PIT, "a", HOUR);

    contexts.use("a", SHARD, 1).close();

    assertThat(contexts.pits()).hasSize(1);
    assertThat(contexts.pits().getFirst().keepAliveMillis()).isEqualTo(HOUR);
  }

  @Test
  void thereIsALimitForEachKind() {
    open(Kind.PIT, "a", HOUR);
    open(Kind.PIT, "b", HOUR);

    assertThatThrownBy(() -> open(Kind.PIT, "c", HOUR))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("search.max_open_pit_context");
    open(Kind.SCROLL, "d", HOUR);
    assertThat(reader.getRefCount()).isEqualTo(4);
  }

  @Test
  void allContextsOfACopyGoWithIt() {
    open(Kind.PIT, "a", HOUR);
    open(Kind.SCROLL, "b", HOUR);

    contexts.copyClosing(copy());
    assertThat(reader.getRefCount()).isEqualTo(3);
    contexts.copyClosing(copy);

    assertThat(reader.getRefCount()).isEqualTo(1);
  }

  @Test
  void scrollsAreReleasedWithoutPointsInTime() {
    open(Kind.PIT, "a", HOUR);
    open(Kind.SCROLL, "b", HOUR);
    open(Kind.SCROLL, "c", HOUR);

    assertThat(contexts.releaseScrolls()).isEqualTo(2);

    assertThat(contexts.pits()).hasSize(1);
  }
}
