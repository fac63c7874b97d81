package io.varve.engine.search;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.engine.fields.FieldWriter;
import io.varve.engine.fields.MetaFields;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.events.Json;
import io.varve.search.AggregationReducer;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.aggregation.result.ResultWriter;
import io.varve.search.aggregation.result.Results;
import io.varve.search.hits.ShardHit;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An in-memory shard with JSON documents. */
final class SearchedIndex implements AutoCloseable {

  static final long NOW = Instant.parse("2024-03-15T10:20:30Z").toEpochMilli();

  private final Directory directory = new ByteBuffersDirectory();
  private final IndexWriter writer;
  private final Mapping mapping;
  private Map<String, String> settings = Map.of();
  private @Nullable DirectoryReader reader;
  private long nextSeqNo;

  SearchedIndex(String mappingJson) throws IOException {
    mapping = Mapping.parse(mappingJson);
    writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig(FieldAnalyzers.forWriter(() -> mapping))
                .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  SearchedIndex add(String id, String json) throws IOException {
    List<IndexableField> fields = new ArrayList<>();
    fields.add(new StringField(MetaFields.ID, new BytesRef(id), StringField.Store.YES));
    fields.add(new StoredField(MetaFields.SOURCE, json.getBytes(StandardCharsets.UTF_8)));
    fields.add(new NumericDocValuesField(MetaFields.SEQ_NO, nextSeqNo++));
    fields.add(new NumericDocValuesField(MetaFields.VERSION, 3));
    fields.add(new NumericDocValuesField(MetaFields.PRIMARY_TERM, 1));
    addObject("", Json.read(json.getBytes(StandardCharsets.UTF_8), Map.class), fields);
    writer.addDocument(fields);
    return this;
  }

  private void addObject(String path, Map<?, ?> object, List<IndexableField> into) {
    object.forEach((name, value) -> addValue(path + name, value, into));
  }

  private void addValue(String path, @Nullable Object value, List<IndexableField> into) {
    LeafField field = mapping.leaf(path);
    if (field != null && (new FieldWriter(field).takesWholeValue() || !(value instanceof List))) {
      into.addAll(new FieldWriter(field).fieldsOf(value));
    } else if (value instanceof List<?> list) {
      list.forEach(item -> addValue(path, item, into));
    } else if (value instanceof Map<?, ?> object) {
      addObject(path + ".", object, into);
    }
  }

  SearchedIndex settings(Map<String, String> settings) {
    this.settings = settings;
    return this;
  }

  SearchedIndex delete(String id) throws IOException {
    writer.deleteDocuments(new Term(MetaFields.ID, id));
    return this;
  }

  /** Puts the documents added so far into a segment of their own. */
  SearchedIndex segment() throws IOException {
    writer.flush();
    return this;
  }

  /** A searcher without memory limits that searches in one slice. */
  static ShardSearcher plain() {
    return new ShardSearcher(MemoryBreaker.unbounded(), SearchSlices.none(), System::nanoTime);
  }

  ShardSearchResult search(String body) {
    return search(body, plain());
  }

  ShardSearchResult search(String body, ShardSearcher searcher) {
    return search(body, searcher, SearchExecution.plain());
  }

  ShardSearchResult search(String body, ShardSearcher searcher, SearchExecution execution) {
    return find(body, searcher, execution).read(Integer.MAX_VALUE);
  }

  FoundPage find(String body, SearchExecution execution) {
    return find(body, plain(), execution);
  }

  private FoundPage find(String body, ShardSearcher searcher, SearchExecution execution) {
    try {
      if (reader == null) {
        reader = DirectoryReader.open(writer);
      }
      SearchRequest request = SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
      return searcher.find(
          new IndexSearcher(reader),
          new IndexView("", "_na_", mapping, settings),
          new ShardSearchRequest(request, NOW),
          execution);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  List<String> ids(String body) {
    return search(body).hits().stream().map(ShardHit::id).toList();
  }

  List<String> matching(String query) {
    return ids("{\"size\":100,\"sort\":[\"_seq_no\"],\"query\":" + query + "}");
  }

  /** The result of an aggregation over all documents. */
  Map<?, ?> aggregated(String aggregation) throws IOException {
    return aggregated("{\"match_all\":{}}", aggregation);
  }

  Map<?, ?> aggregated(String query, String aggregation) throws IOException {
    String body = "{\"size\":0,\"query\":" + query + ",\"aggs\":{\"it\":" + aggregation + "}}";
    SearchRequest request = SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), Map.of());
    AggregationReducer reducer = new AggregationReducer(request.aggregations().tree());
    reducer.add(ShardSearchResult.fromBytes(search(body).toBytes()).aggregations());
    Results results = reducer.finish(10_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.mapper().writer().createGenerator(out)) {
      new ResultWriter(false, false).write(results == null ? Results.NONE : results, json);
    }
    return (Map<?, ?>) Json.read(out.toByteArray(), Map.class).get("it");
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
    writer.close();
    directory.close();
  }
}
