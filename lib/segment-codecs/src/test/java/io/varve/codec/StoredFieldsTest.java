package io.varve.codec;

import static io.varve.codec.StoredDocuments.attributes;
import static io.varve.codec.StoredDocuments.zstd;
import static io.varve.codec.StoredDocuments.zstdNoDict;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredFieldsTest {

  private static final long SEED = 4711;

  private static void comesBack(Varve104Codec codec, List<byte[]> sources) throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      StoredDocuments.write(directory, codec, sources);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(StoredDocuments.same(StoredDocuments.read(reader), sources)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void documentsOfAnyKindAndSizeAreReadUnchangedAtEachLevel(int level) throws Exception {
    List<byte[]> sources = new ArrayList<>(SomeJson.records(400, SEED));
    byte[] noise = new byte[700_000];
    new Random(SEED).nextBytes(noise);
    sources.add(noise);
    for (int size : new int[] {0, 1, 16_383, 16_384, 16_385, 3 << 20}) {
      sources.add(SomeJson.utf8("x".repeat(size)));
    }
    sources.add(SomeJson.utf8("{}"));
    sources.add(SomeJson.utf8("{\"a\":\"" + "y".repeat(40_000) + "\",\"a\":1.0,\"b\":1e400}"));
    sources.add(new byte[] {'{', (byte) 0xC3, '"', 0, '"', '}'});
    sources.addAll(SomeJson.records(400, SEED + 1));
    comesBack(zstd(level), sources);
    comesBack(zstdNoDict(level), sources);
  }

  @Test
  void fieldsOfAllTypesAreReadUnchanged() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(3), false)) {
        for (int i = 0; i < 3_000; i++) {
          Document document = new Document();
          document.add(new StoredField("text", "a text of number " + i));
          document.add(new StoredField("int", i));
          document.add(new StoredField("long", i * 1_000_000_007L));
          document.add(new StoredField("float", i / 7f));
          document.add(new StoredField("double", i / 7d));
          document.add(new StoredField("bytes", new BytesRef(new byte[i % 40])));
          writer.addDocument(document);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (int i = 0; i < 3_000; i += 7) {
          Document document = reader.storedFields().document(i);
          assertThat(document.get("text")).isEqualTo("a text of number " + i);
          assertThat(document.getField("int").numericValue()).isEqualTo(i);
          assertThat(document.getField("long").numericValue()).isEqualTo(i * 1_000_000_007L);
          assertThat(document.getField("float").numericValue()).isEqualTo(i / 7f);
          assertThat(document.getField("double").numericValue()).isEqualTo(i / 7d);
          assertThat(document.getBinaryValue("bytes").length).isEqualTo(i % 40);
        }
      }
    }
  }

  @Test
  void aSegmentRecordsItsEncoding() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      StoredDocuments.write(directory, zstd(4), SomeJson.records(2_000, SEED));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(attributes(reader, ZstdFieldsFormat.MODE)).containsExactly("zstd");
        assertThat(attributes(reader, ZstdFieldsFormat.LEVEL)).containsExactly("4");
        assertThat(attributes(reader, ZstdFieldsFormat.FORMAT)).containsExactly("2");
        assertThat(attributes(reader, ZstdFieldsFormat.DICTIONARY).getFirst())
            .matches("[0-9a-f]{16}");
      }
      assertThat(directory.listAll()).contains("_0.zsd");
    }
  }

  @Test
  void aSmallSegmentHasNoDictionary() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      StoredDocuments.write(directory, zstd(3), SomeJson.records(10, SEED));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(attributes(reader, ZstdFieldsFormat.DICTIONARY)).containsExactly("none");
      }
      assertThat(directory.listAll()).noneMatch(name -> name.endsWith(".zsd"));
    }
  }

  @Test
  void theNextSegmentOfAWriterUsesTheSameDictionaryAndMergesKeepIt() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = StoredDocuments.writer(directory, zstd(3), true)) {
      for (int i = 0; i < 3; i++) {
        StoredDocuments.add(writer, SomeJson.records(2_000, SEED + i));
        writer.commit();
      }
      List<String> ids;
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        ids = attributes(reader, ZstdFieldsFormat.DICTIONARY);
      }
      assertThat(ids).hasSize(3).containsOnly(ids.getFirst());
      writer.forceMerge(1);
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(attributes(reader, ZstdFieldsFormat.DICTIONARY)).containsExactly(ids.getFirst());
        assertThat(StoredDocuments.read(reader)).hasSize(6_000);
      }
    }
  }

  @Test
  void aMergeAfterAReopenCopiesBlocksAndADifferentLevelEncodesAgain() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      List<byte[]> sources = SomeJson.records(20_000, SEED);
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(3), true)) {
        StoredDocuments.add(writer, sources.subList(0, 10_000));
        writer.commit();
        StoredDocuments.add(writer, sources.subList(10_000, 20_000));
        writer.commit();
      }
      long before = BlockCompressor.blocksWritten();
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(3), true)) {
        writer.forceMerge(1);
      }
      // Only the incomplete last block of each segment is encoded again.
      assertThat(BlockCompressor.blocksWritten() - before).isLessThan(4);
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(3), true)) {
        StoredDocuments.add(writer, sources.subList(0, 100));
        writer.commit();
      }
      before = BlockCompressor.blocksWritten();
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(5), true)) {
        writer.forceMerge(1);
      }
      assertThat(BlockCompressor.blocksWritten() - before).isGreaterThan(10);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(attributes(reader, ZstdFieldsFormat.LEVEL)).containsExactly("5");
        assertThat(StoredDocuments.same(StoredDocuments.read(reader).subList(0, 20_000), sources))
            .isTrue();
      }
    }
  }

  @Test
  void aLargeMergeOfOtherDocumentsTrainsANewDictionaryAndLaterMergesCopyItsBlocks()
      throws Exception {
    DictionaryRules rules = new DictionaryRules(4_000, 64_000, 32_000, 4_096, 1 << 20);
    Varve104Codec codec = new Varve104Codec(new Coding(Coding.Mode.ZSTD, 3), rules);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = StoredDocuments.writer(directory, codec, true)) {
      StoredDocuments.add(writer, SomeJson.records(1_000, SEED));
      writer.commit();
      String first = dictionaries(directory).getFirst();
      List<byte[]> others = hexDocuments(12_000);
      StoredDocuments.add(writer, others);
      writer.commit();
      assertThat(dictionaries(directory)).containsOnly(first);

      writer.forceMerge(1);
      writer.commit();

      String trained = dictionaries(directory).getFirst();
      assertThat(trained).isNotEqualTo(first).matches("[0-9a-f]{16}");
      StoredDocuments.add(writer, others.subList(0, 1_000));
      writer.commit();
      assertThat(dictionaries(directory)).containsExactly(trained, trained);
      long before = BlockCompressor.blocksWritten();
      writer.forceMerge(1);
      writer.commit();
      assertThat(dictionaries(directory)).containsExactly(trained);
      assertThat(BlockCompressor.blocksWritten() - before).isLessThan(4);
    }
  }

  private static List<String> dictionaries(Directory directory) throws Exception {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return attributes(reader, ZstdFieldsFormat.DICTIONARY);
    }
  }

  /** Generates documents that have no words in common. */
  private static List<byte[]> hexDocuments(int count) {
    Random random = new Random(SEED);
    String[] words = new String[100];
    Arrays.setAll(words, i -> Long.toHexString(random.nextLong()) + Long.toHexString(i * SEED));
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder("{\"hex\":\"");
      for (int word = 0; word < 6; word++) {
        text.append(words[random.nextInt(words.length)]).append(' ');
      }
      documents.add(SomeJson.utf8(text.append("\"}").toString()));
    }
    return documents;
  }

  @Test
  void deletedDocumentsAreNotUsedForTraining() throws Exception {
    DictionaryRules rules = new DictionaryRules(4_000, 64_000, 32_000, 4_096, 1);
    Varve104Codec codec = new Varve104Codec(new Coding(Coding.Mode.ZSTD, 3), rules);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig plain =
          new IndexWriterConfig()
              .setCodec(new Lucene104Codec())
              .setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, plain)) {
        for (int i = 0; i < 6_000; i++) {
          Document document = new Document();
          boolean kept = i % 2 == 0;
          document.add(new StringField("kept", String.valueOf(kept), Field.Store.NO));
          String word = kept ? "harmless" : "deleted";
          document.add(
              new StoredField(
                  "_source", new BytesRef(SomeJson.utf8("no json: " + word + " words " + i))));
          writer.addDocument(document);
        }
        writer.commit();
        writer.deleteDocuments(new Term("kept", "false"));
        writer.commit();
      }
      try (IndexWriter writer = StoredDocuments.writer(directory, codec, true)) {
        writer.forceMerge(1);
      }
      SegmentInfo merged = SegmentInfos.readLatestCommit(directory).info(0).info;
      Dictionary dictionary =
          DictionaryFile.read(directory, merged, merged.getAttribute(ZstdFieldsFormat.DICTIONARY));
      assertThat(new String(dictionary.bytes(), StandardCharsets.ISO_8859_1))
          .contains("harmless")
          .doesNotContain("deleted");
    }
  }

  @Test
  void segmentsOfAllCodecsAreReadTogetherAndMergedIntoOne() throws Exception {
    List<byte[]> sources = SomeJson.records(6_000, SEED);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(new Lucene104Codec())
              .setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        StoredDocuments.add(writer, sources.subList(0, 2_000));
      }
      StoredDocuments.write(directory, zstd(3), sources.subList(2_000, 4_000));
      StoredDocuments.write(directory, zstdNoDict(6), sources.subList(4_000, 6_000));
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(reader.leaves()).hasSize(3);
        assertThat(StoredDocuments.same(StoredDocuments.read(reader), sources)).isTrue();
      }
      try (IndexWriter writer = StoredDocuments.writer(directory, zstd(1), true)) {
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(attributes(reader, ZstdFieldsFormat.LEVEL)).containsExactly("1");
        assertThat(StoredDocuments.same(StoredDocuments.read(reader), sources)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Coding.Mode.class)
  void eachLevelIsSmallerThanTheOneBefore(Coding.Mode mode) throws Exception {
    List<byte[]> sources = SomeJson.records(60_000, SEED);
    long[] sizes = new long[Coding.HIGHEST + 1];
    for (int level = Coding.LOWEST; level <= Coding.HIGHEST; level++) {
      try (Directory directory = new ByteBuffersDirectory()) {
        StoredDocuments.write(directory, new Varve104Codec(new Coding(mode, level)), sources);
        for (String name : directory.listAll()) {
          sizes[level] += name.matches("_0\\.(fd.|zsd)") ? directory.fileLength(name) : 0;
        }
      }
      if (level > Coding.LOWEST) {
        assertThat(sizes[level])
            .as("level %d of %s", level, Arrays.toString(sizes))
            .isLessThanOrEqualTo(sizes[level - 1] * 1005 / 1000);
      }
    }
  }
}
