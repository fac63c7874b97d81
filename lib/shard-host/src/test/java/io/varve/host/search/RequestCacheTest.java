package io.varve.host.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.CacheCounters;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestCacheTest {

  private final CacheCounters tally = new CacheCounters();
  private final RequestCache cache = new RequestCache(() -> 600);
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
  void closeReader() throws IOException {
    reader.close();
  }

  private static byte[] found(long total, Cut cut) {
    return new ShardSearchResult(total, true, Float.NaN, List.of(), cut, 1, 1).toBytes();
  }

  private RequestCache.Place place(int request, long mappingVersion) {
    return cache.place(reader, mappingVersion, new byte[] {(byte) request}, tally);
  }

  @Test
  void theSameRequestToTheSameReaderUnderTheSameMappingIsAnsweredAgain() {
    place(1, 1).keep(found(7, Cut.NOTHING));

    assertThat(place(1, 1).find().total()).isEqualTo(7);
    assertThat(place(2, 1).find()).isNull();
    assertThat(place(1, 2).find()).isNull();
    assertThat(tally.read().hits()).isEqualTo(1);
    assertThat(tally.read().misses()).isEqualTo(2);
  }

  @Test
  void whatWasCutShortIsNotKept() {
    place(1, 1).keep(found(7, Cut.TIME));

    assertThat(place(1, 1).find()).isNull();
  }

  @Test
  void anAnswerLargerThanAllMayBeIsNotKept() {
    place(1, 1).keep(found(7, Cut.NOTHING));
    place(2, 1).keep(new byte[600]);

    assertThat(place(1, 1).find()).isNotNull();
    assertThat(place(2, 1).find()).isNull();
  }

  @Test
  void answersGoWithTheirReader() throws IOException {
    place(1, 1).keep(found(7, Cut.NOTHING));

    reader.close();

    assertThat(tally.read().memoryBytes()).isZero();
  }

  @Test
  void theAnswerThatWasNotAskedForLongestMakesRoom() {
    place(1, 1).keep(found(1, Cut.NOTHING));
    place(2, 1).keep(found(2, Cut.NOTHING));
    assertThat(place(1, 1).find()).isNotNull();

    place(3, 1).keep(found(3, Cut.NOTHING));

    assertThat(place(2, 1).find()).isNull();
    assertThat(place(1, 1).find()).isNotNull();
    assertThat(tally.read().evictions()).isEqualTo(1);
  }
}
