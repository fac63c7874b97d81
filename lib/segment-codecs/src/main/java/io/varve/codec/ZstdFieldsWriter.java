package io.varve.codec;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Writes the stored fields of a segment.
 *
 * <p>The first documents are buffered until the dictionary is decided: the known one as soon as the
 * segment is large enough, otherwise one trained from the buffered documents. A merge decides at
 * its beginning, see {@link MergeDictionary}.
 */
final class ZstdFieldsWriter extends StoredFieldsWriter {

  /** The segment to write. */
  record Target(Directory directory, SegmentInfo segment, IOContext context) {}

  private final Target target;
  private final Coding coding;
  private final DictionaryRules rules;
  private final KnownDictionary known;
  private final ContentBytes content = new ContentBytes();
  private @Nullable RecordedDocuments waiting;
  private @Nullable StoredFieldsWriter writer;
  private @Nullable SharedDictionary shared;

  ZstdFieldsWriter(Target target, Coding coding, DictionaryRules rules, KnownDictionary known) {
    this.target = target;
    this.coding = coding;
    this.rules = rules;
    this.known = known;
  }

  private StoredFieldsWriter begin(@Nullable Dictionary dictionary) throws IOException {
    BlockMode mode;
    if (dictionary == null) {
      mode = BlockMode.withoutDictionary(coding);
    } else {
      SharedDictionary held = SharedDictionary.hold(dictionary);
      shared = held;
      mode = held.mode(coding);
    }
    StoredFieldsWriter begun = ZstdFieldsFormat.open(target, mode, content);
    writer = begun;
    RecordedDocuments documents = waiting;
    waiting = null;
    if (documents != null) {
      documents.replay(begun);
    }
    return begun;
  }

  @Override
  public void startDocument() throws IOException {
    if (writer != null) {
      writer.startDocument();
    } else if (waiting == null) {
      if (coding.usesDictionary()) {
        waiting = new RecordedDocuments();
      } else {
        begin(null).startDocument();
      }
    }
  }

  @Override
  public void finishDocument() throws IOException {
    if (writer != null) {
      writer.finishDocument();
      return;
    }
    RecordedDocuments documents = waiting();
    documents.finishDocument();
    Dictionary last = known.dictionary();
    if (documents.size() >= (last == null ? rules.sampleBytes() : rules.worthBytes())) {
      begin(last == null ? train(documents) : last);
    }
  }

  private RecordedDocuments waiting() {
    if (waiting == null) {
      throw new IllegalStateException("startDocument was not called");
    }
    return waiting;
  }

  private @Nullable Dictionary train(RecordedDocuments documents) {
    List<byte[]> payloads = DictionaryTraining.payloads(documents, coding.blockBytes());
    Dictionary trained =
        DictionaryTraining.train(
            payloads, rules.dictionaryBytesFor(documents.size()), coding.zstdLevel());
    if (trained != null) {
      known.learn(trained);
    }
    return trained;
  }

  @Override
  public void finish(int documents) throws IOException {
    if (writer == null) {
      RecordedDocuments recorded = waiting;
      boolean trains = recorded != null && recorded.size() >= rules.leastSampleBytes();
      begin(trains ? train(recorded) : null);
    }
    writer.finish(documents);
    note(content.sum());
  }

  @Override
  public int merge(MergeState state) throws IOException {
    Dictionary dictionary =
        coding.usesDictionary() ? new MergeDictionary(coding, rules, known).choose(state) : null;
    MergedContent mergedContent = MergedContent.of(state, coding);
    StoredFieldsWriter merged = begin(dictionary);
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      StoredFieldsReader reader = state.storedFieldsReaders[i];
      if (reader instanceof ZstdFieldsReader ours) {
        state.storedFieldsReaders[i] = ours.chunks();
      }
    }
    int documents = merged.merge(state);
    note(mergedContent.bytes(content));
    return documents;
  }

  private void note(long contentBytes) {
    if (contentBytes != MergedContent.UNKNOWN) {
      target.segment().putAttribute(ZstdFieldsFormat.CONTENT_BYTES, String.valueOf(contentBytes));
    }
  }

  @Override
  public void writeField(FieldInfo field, int value) throws IOException {
    if (writer == null) {
      waiting().intField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, long value) throws IOException {
    if (writer == null) {
      waiting().longField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, float value) throws IOException {
    if (writer == null) {
      waiting().floatField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, double value) throws IOException {
    if (writer == null) {
      waiting().doubleField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, BytesRef value) throws IOException {
    if (writer == null) {
      waiting().bytesField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, String value) throws IOException {
    if (writer == null) {
      waiting().stringField(field, value);
    } else {
      writer.writeField(field, value);
    }
  }

  @Override
  public long ramBytesUsed() {
    return (waiting == null ? 0 : waiting.size()) + (writer == null ? 0 : writer.ramBytesUsed());
  }

  @Override
  public void close() throws IOException {
    SharedDictionary held = shared;
    shared = null;
    IOUtils.close(writer, held);
  }
}
