package io.varve.codec;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the dictionary of a merged segment.
 *
 * <ul>
 *   <li>If segments have dictionaries, it is the one that covers most documents, whose blocks are
 *       then copied.
 *   <li>Otherwise it is the writer's last dictionary. If there is none, it is trained from
 *       documents of all parts of the merge, if they are large enough.
 *   <li>A large merge trains a new one from half of the samples and uses it if the other half
 *       becomes 3% smaller, because documents may have changed since the old one was trained. (A
 *       comparison on the samples from which the new one was trained would be biased.)
 * </ul>
 */
final class MergeDictionary {

  private static final int STRETCHES = 16;
  private static final double GAIN = 0.97;

  private final Coding coding;
  private final DictionaryRules rules;
  private final KnownDictionary known;

  MergeDictionary(Coding coding, DictionaryRules rules, KnownDictionary known) {
    this.coding = coding;
    this.rules = rules;
    this.known = known;
  }

  @Nullable Dictionary choose(MergeState state) throws IOException {
    long content = documents(state) * averageBytes(state);
    Dictionary common = mostCommon(state);
    Dictionary last = known.dictionary();
    if (common == null && content >= rules.worthBytes()) {
      common = last;
    } else if (common != null && last == null) {
      // A new writer continues with the dictionary of its segments.
      known.learn(common);
    }
    if (content < (common == null ? rules.leastSampleBytes() : rules.retrainBytes())) {
      return common;
    }
    RecordedDocuments samples = samples(state);
    if (samples.size() < (common == null ? rules.leastSampleBytes() : rules.sampleBytes())) {
      return common;
    }
    return better(common, samples);
  }

  private @Nullable Dictionary better(@Nullable Dictionary common, RecordedDocuments samples) {
    List<byte[]> payloads = DictionaryTraining.payloads(samples, coding.blockBytes());
    Dictionary trained =
        DictionaryTraining.train(
            common == null ? payloads : everySecond(payloads, 0),
            rules.dictionaryBytesFor(samples.size()),
            coding.zstdLevel());
    if (trained == null
        || (common != null && !isBetter(trained, common, everySecond(payloads, 1)))) {
      return common;
    }
    known.learn(trained);
    return trained;
  }

  private boolean isBetter(Dictionary trained, Dictionary common, List<byte[]> others) {
    return !others.isEmpty()
        && DictionaryTraining.compressedBytes(others, trained, coding.zstdLevel())
            <= GAIN * DictionaryTraining.compressedBytes(others, common, coding.zstdLevel());
  }

  private static List<byte[]> everySecond(List<byte[]> payloads, int from) {
    return IntStream.range(0, payloads.size())
        .filter(i -> i % 2 == from)
        .mapToObj(payloads::get)
        .toList();
  }

  private static @Nullable Dictionary mostCommon(MergeState state) {
    Map<Dictionary, Integer> documents = new HashMap<>();
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      if (state.storedFieldsReaders[i] instanceof ZstdFieldsReader ours
          && ours.dictionary() != null) {
        documents.merge(ours.dictionary(), state.maxDocs[i], Integer::sum);
      }
    }
    return documents.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private static long documents(MergeState state) {
    long documents = 0;
    for (int count : state.maxDocs) {
      documents += count;
    }
    return documents;
  }

  /** The average size of the first documents, which is precise enough for a threshold. */
  private static long averageBytes(MergeState state) throws IOException {
    RecordedDocuments first = new RecordedDocuments();
    int count = 0;
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      StoredFieldsReader reader = state.storedFieldsReaders[i];
      for (int doc = 0; reader != null && doc < Math.min(4, state.maxDocs[i]); doc++) {
        reader.document(doc, first);
        count++;
      }
    }
    return count == 0 ? 0 : first.size() / count;
  }

  private RecordedDocuments samples(MergeState state) throws IOException {
    RecordedDocuments samples = new RecordedDocuments();
    long all = documents(state);
    for (int stretch = 0; stretch < STRETCHES; stretch++) {
      long enough = (stretch + 1L) * 2 * rules.sampleBytes() / STRETCHES;
      long from = all * stretch / STRETCHES;
      long to = all * (stretch + 1) / STRETCHES;
      for (long doc = from; doc < to && samples.size() < enough; doc++) {
        read(state, doc, samples);
      }
    }
    return samples;
  }

  private static void read(MergeState state, long number, RecordedDocuments samples)
      throws IOException {
    long doc = number;
    for (int i = 0; i < state.maxDocs.length; i++) {
      if (doc < state.maxDocs[i]) {
        StoredFieldsReader reader = state.storedFieldsReaders[i];
        Bits live = state.liveDocs[i];
        // A dictionary must not contain data of deleted documents.
        if (reader != null && (live == null || live.get((int) doc))) {
          reader.document((int) doc, samples);
          samples.finishDocument();
        }
        return;
      }
      doc -= state.maxDocs[i];
    }
  }
}
