package io.varve.load;

import io.varve.engine.Checkpoint;
import io.varve.engine.EngineConfig;
import io.varve.engine.MappingSource;
import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.ShardEngine;
import io.varve.engine.Snapshot;
import io.varve.engine.fields.MetaFields;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Indexes documents on one thread and measures the CPU time of that thread in each part. Documents
 * are parsed in blocks before they are indexed, as those of a bulk request are.
 *
 * @param refreshEvery documents between two refreshes
 */
record FloorRun(Shape shape, List<byte[]> sources, int refreshEvery) {

  private static final int BLOCK = 1000;
  private static final JsonFactory JSON = JsonFactory.builder().build();

  /**
   * CPU seconds.
   *
   * @param tokens only reading the tokens of the documents
   * @param parse documents to Lucene fields
   * @param apply resolving and applying the parsed documents
   * @param refresh refreshes of the shard
   * @param lucene the same fields added to a plain Lucene writer
   * @param reopen refreshes of its reader
   */
  record Result(
      double tokens, double parse, double apply, double refresh, double lucene, double reopen) {

    double shard() {
      return parse + apply + refresh;
    }
  }

  /** CPU time of the current thread. */
  private static final class Timer {
    private double seconds;
    private long beganNanos;

    void begin() {
      beganNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void end() {
      seconds += (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganNanos) / 1e9;
    }
  }

  Result in(Path folder) throws IOException {
    Timer tokens = new Timer();
    tokens.begin();
    double sum = 0;
    for (byte[] source : sources) {
      sum += readTokens(source);
    }
    tokens.end();
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("a document contains an invalid number");
    }
    Timer parse = new Timer();
    Timer apply = new Timer();
    Timer refresh = new Timer();
    shard(folder.resolve("shard"), parse, apply, refresh);
    Timer lucene = new Timer();
    Timer reopen = new Timer();
    plain(folder, lucene, reopen);
    return new Result(
        tokens.seconds,
        parse.seconds,
        apply.seconds,
        refresh.seconds,
        lucene.seconds,
        reopen.seconds);
  }

  private static double readTokens(byte[] source) {
    double sum = 0;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), source)) {
      JsonToken token = json.nextToken();
      while (token != null) {
        switch (token) {
          case PROPERTY_NAME -> sum += json.currentName().length();
          case VALUE_STRING -> sum += json.getString().length();
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> sum += json.getDoubleValue();
          default -> {}
        }
        token = json.nextToken();
      }
    }
    return sum;
  }

  private ShardEngine engine(Path folder) {
    MappingSource.Versioned mapping = new MappingSource.Versioned(1, shape.mapping());
    return ShardEngine.open(
        new EngineConfig(new ShardId("bench", 0), folder, 1, Map.of()), () -> mapping);
  }

  private static WriteItem item(int number, byte[] source) {
    return WriteItem.index("%020d".formatted(number), source).withNewId();
  }

  private void shard(Path folder, Timer parse, Timer apply, Timer refresh) {
    try (ShardEngine engine = engine(folder)) {
      for (int from = 0; from < sources.size(); from += BLOCK) {
        int to = Math.min(sources.size(), from + BLOCK);
        List<WriteItem> items = new ArrayList<>(BLOCK);
        for (int i = from; i < to; i++) {
          items.add(item(i, sources.get(i)));
        }
        List<Parsed> parsed = new ArrayList<>(BLOCK);
        parse.begin();
        items.forEach(item -> parsed.add(engine.parse(item)));
        parse.end();
        apply.begin();
        for (int i = from; i < to; i++) {
          apply(engine, i, items.get(i - from), parsed.get(i - from));
        }
        apply.end();
        if (to / refreshEvery > from / refreshEvery) {
          refresh.begin();
          show(engine, to);
          refresh.end();
        }
      }
      refresh.begin();
      show(engine, sources.size());
      refresh.end();
    }
  }

  private static void apply(ShardEngine engine, int number, WriteItem item, Parsed parsed) {
    if (!(engine.resolve(item, parsed) instanceof Resolution.Append resolved)) {
      throw new IllegalStateException("document " + number + " was refused: " + parsed);
    }
    Operation operation =
        new Operation(
            1,
            number,
            resolved.version(),
            resolved.mappingVersion(),
            item.id(),
            null,
            resolved.source(),
            null);
    engine.inFlight(operation);
    engine.apply(number, operation, resolved);
  }

  private static void show(ShardEngine engine, int count) {
    Snapshot snapshot = engine.refresh(new Checkpoint(count, count, 1, count - 1));
    if (snapshot != null) {
      snapshot.close();
    }
  }

  private void plain(Path folder, Timer add, Timer reopen) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setRAMBufferSizeMB(EngineConfig.DEFAULT_BUFFER_MEGABYTES)
            .setUseCompoundFile(true);
    try (ShardEngine parser = engine(folder.resolve("parser"));
        Directory directory = FSDirectory.open(folder.resolve("plain"));
        IndexWriter writer = new IndexWriter(directory, config)) {
      DirectoryReader reader = DirectoryReader.open(writer);
      for (int from = 0; from < sources.size(); from += BLOCK) {
        int to = Math.min(sources.size(), from + BLOCK);
        List<List<IndexableField>> documents = new ArrayList<>(BLOCK);
        for (int i = from; i < to; i++) {
          documents.add(fields(parser, i));
        }
        add.begin();
        for (List<IndexableField> document : documents) {
          writer.addDocument(document);
        }
        add.end();
        if (to / refreshEvery > from / refreshEvery || to == sources.size()) {
          reopen.begin();
          reader = reopened(reader);
          reopen.end();
        }
      }
      reader.close();
    }
  }

  private static DirectoryReader reopened(DirectoryReader reader) throws IOException {
    DirectoryReader changed = DirectoryReader.openIfChanged(reader);
    if (changed == null) {
      return reader;
    }
    reader.close();
    return changed;
  }

  private List<IndexableField> fields(ShardEngine parser, int number) {
    WriteItem item = item(number, sources.get(number));
    if (!(parser.parse(item) instanceof Parsed.Document document)) {
      throw new IllegalStateException("document " + number + " was refused");
    }
    List<IndexableField> fields = new ArrayList<>(document.fields());
    BytesRef id = new BytesRef(item.id().getBytes(StandardCharsets.UTF_8));
    fields.add(new Field(MetaFields.ID, id, MetaFields.STORED_TERM));
    fields.add(
        new Field(MetaFields.SOURCE, new BytesRef(document.source()), MetaFields.STORED_BYTES));
    fields.add(NumericDocValuesField.indexedField(MetaFields.SEQ_NO, number));
    fields.add(new NumericDocValuesField(MetaFields.PRIMARY_TERM, 1));
    fields.add(new NumericDocValuesField(MetaFields.VERSION, 1));
    return fields;
  }
}
