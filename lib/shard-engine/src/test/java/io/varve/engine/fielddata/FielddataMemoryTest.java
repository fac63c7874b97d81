package io.varve.engine.fielddata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.engine.SearchMeters;
import io.varve.engine.search.aggregation.MemoryAccount;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.search.mapping.FrequencyFilter;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FielddataMemoryTest {

  private static final Mapping MAPPING =
      Mapping.parse("{\"properties\":{\"words\":{\"type\":\"text\",\"fielddata\":true}}}");

  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final SearchMeters meters = new SearchMeters();
  private IndexWriter writer;
  private DirectoryReader reader;

  @BeforeEach
  void threeDocuments() throws IOException {
    writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()));
    for (String text : List.of("red green red", "", "blue green")) {
      Document document = new Document();
      document.add(new TextField("words", text, Field.Store.NO));
      writer.addDocument(document);
    }
    reader = DirectoryReader.open(writer);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    writer.close();
  }

  private static MemoryBreaker limited(long bytes) {
    return MemoryBreaker.ofFields(
        MemoryBreaker.Limit.of(() -> bytes), ParentBreaker.ofAccounted(() -> Long.MAX_VALUE));
  }

  private static List<String> terms(IndexReader reader, int doc) throws IOException {
    SortedSetDocValues values =
        DocValues.getSortedSet(reader.leaves().getFirst().reader(), "words");
    List<String> terms = new ArrayList<>();
    if (values.advanceExact(doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        terms.add(values.lookupOrd(values.nextOrd()).utf8ToString());
      }
    }
    return terms;
  }

  @Test
  void fielddataHasTheTermsOfEachDocument() throws IOException {
    IndexReader shown =
        FielddataReader.over(reader, MAPPING, new Fielddata(FielddataMemory.unbounded(), meters));
    assertThat(terms(shown, 0)).containsExactly("green", "red");
    assertThat(terms(shown, 1)).isEmpty();
    assertThat(terms(shown, 2)).containsExactly("blue", "green");
  }

  @Test
  void theFrequencyFilterExcludesRareAndCommonTerms() throws IOException {
    UninvertedTerms twice =
        UninvertedTerms.of(
            reader.leaves().getFirst().reader(),
            "words",
            new FrequencyFilter(2, 5, 0),
            MemoryAccount.UNBOUNDED);
    SortedSetDocValues values = twice.values();
    assertThat(values.getValueCount()).isEqualTo(1);
    assertThat(values.nextDoc()).isEqualTo(0);
    assertThat(values.nextDoc()).isEqualTo(2);
    assertThat(values.nextDoc()).isEqualTo(SortedSetDocValues.NO_MORE_DOCS);
  }

  @Test
  void isKeptUntilItsReaderIsClosed() throws IOException {
    MemoryBreaker breaker = limited(1_000_000);
    Fielddata fielddata = new Fielddata(new FielddataMemory(breaker), meters);
    IndexReader shown = FielddataReader.over(reader, MAPPING, fielddata);
    assertThat(terms(shown, 0)).hasSize(2);
    long kept = breaker.usedBytes();
    assertThat(terms(shown, 2)).hasSize(2);
    assertThat(breaker.usedBytes()).isEqualTo(kept).isPositive();
    writer.close();
    reader.close();
    assertThat(breaker.usedBytes()).isZero();
  }

  @Test
  void isRemovedByAClearRequest() throws IOException {
    MemoryBreaker breaker = limited(1_000_000);
    FielddataMemory memory = new FielddataMemory(breaker);
    IndexReader shown = FielddataReader.over(reader, MAPPING, new Fielddata(memory, meters));
    assertThat(terms(shown, 0)).hasSize(2);
    memory.clear(reader, "others"::equals);
    assertThat(breaker.usedBytes()).isPositive();
    memory.clear(reader, "words"::equals);
    assertThat(breaker.usedBytes()).isZero();
    assertThat(terms(shown, 0)).hasSize(2);
  }

  @Test
  void isRefusedBeyondTheLimit() throws IOException {
    MemoryBreaker breaker = limited(20);
    IndexReader shown =
        FielddataReader.over(reader, MAPPING, new Fielddata(new FielddataMemory(breaker), meters));
    assertThatThrownBy(() -> terms(shown, 0))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.error().type()).isEqualTo("circuit_breaking_exception"));
    assertThat(breaker.usedBytes()).isZero();
  }

  /** Returns once the thread waits for a value that another one loads. */
  private static void awaitWaiting(Thread thread) {
    Awaitility.await("a caller waits for the value that another one loads")
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId());
          return info.getThreadState() == Thread.State.BLOCKED
              && info.getLockName().startsWith(FielddataMemory.class.getName() + "$Slot@");
        });
  }

  /** Callers that wait for a value fail with the same error as the caller that can't load it. */
  @Test
  void waitingCallersFailWithTheSameError() throws Exception {
    FielddataMemory memory = new FielddataMemory(limited(20));
    IndexReader.CacheHelper owner = reader.leaves().getFirst().reader().getCoreCacheHelper();
    CountDownLatch began = new CountDownLatch(1);
    CompletableFuture<Thread> waiting = new CompletableFuture<>();
    FielddataMemory.Making<String> tooLarge =
        account -> {
          if (began.getCount() > 0) {
            began.countDown();
            awaitWaiting(waiting.join());
          }
          account.charge(1000);
          return "made";
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<String> first =
          threads.submit(() -> memory.of(owner, "words", String.class, meters, tooLarge));
      began.await();
      Future<String> second =
          threads.submit(() -> {
            waiting.complete(Thread.currentThread());
            return memory.of(owner, "words", String.class, meters, tooLarge);
          });
      for (Future<String> refused : List.of(first, second)) {
        assertThatThrownBy(refused::get).hasCauseInstanceOf(ApiException.class);
      }
    }
  }

  @Test
  void aValueThatIsClearedWhileLoadingIsLoadedAgain() throws Exception {
    MemoryBreaker breaker = limited(1_000_000);
    FielddataMemory memory = new FielddataMemory(breaker);
    IndexReader.CacheHelper owner = reader.leaves().getFirst().reader().getCoreCacheHelper();
    Thread clearing = Thread.currentThread();
    CountDownLatch began = new CountDownLatch(1);
    AtomicInteger made = new AtomicInteger();
    FielddataMemory.Making<String> slow =
        account -> {
          if (made.incrementAndGet() == 1) {
            began.countDown();
            awaitWaiting(clearing);
          }
          account.charge(1000);
          return "made";
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<String> first =
          threads.submit(() -> memory.of(owner, "words", String.class, meters, slow));
      began.await();
      memory.clear(reader, "words"::equals);
      assertThat(first.get()).isEqualTo("made");
      assertThat(memory.of(owner, "words", String.class, meters, slow)).isEqualTo("made");
      assertThat(made).hasValue(2);
      assertThat(breaker.usedBytes()).isEqualTo(1000);
    }
  }
}
