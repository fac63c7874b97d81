package io.varve.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.junit.jupiter.api.Test;

class ColumnLayoutTest {

  private static final long SEED = 4711;

  private final ColumnEncoder encoder = new ColumnEncoder();
  private final ColumnDecoder decoder = new ColumnDecoder();

  /** Returns documents with an id and a source each, in the layout of a Lucene chunk. */
  private static byte[] chunk(List<byte[]> sources) throws Exception {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    for (int i = 0; i < sources.size(); i++) {
      out.writeVLong(0L << 3 | 1);
      byte[] id = ("id" + i).getBytes(UTF_8);
      out.writeVInt(id.length);
      out.writeBytes(id);
      out.writeVLong(1L << 3 | 1);
      out.writeVInt(sources.get(i).length);
      out.writeBytes(sources.get(i));
    }
    return out.toArrayCopy();
  }

  private byte[] decoded(int offset, int length, int size) {
    byte[] payload = decoder.payload(encoder.length());
    System.arraycopy(encoder.payload(), 0, payload, 0, encoder.length());
    assertThat(decoder.load(encoder.length())).isEqualTo(size);
    byte[] target = new byte[length + ColumnDecoder.SLACK];
    decoder.copy(offset, length, target);
    return Arrays.copyOf(target, length);
  }

  private void comesBack(byte[] block) {
    if (!encoder.columns(block, block.length)) {
      encoder.rows(block, block.length);
    }
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
  }

  @Test
  void blocksCanBeReadAsAWholeAndInAnyPart() throws Exception {
    byte[] block = chunk(SomeJson.records(100, SEED));
    assertThat(encoder.columns(block, block.length)).isTrue();
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
    Random random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(block.length);
      int length = 1 + random.nextInt(block.length - from);
      assertThat(decoded(from, length, block.length))
          .isEqualTo(Arrays.copyOfRange(block, from, from + length));
    }
  }

  @Test
  void anyJsonIsReadUnchanged() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 1_000; round++) {
      List<byte[]> sources = new ArrayList<>();
      byte[] repeated = SomeJson.any(random);
      for (int i = 0; i < 1 + random.nextInt(30); i++) {
        sources.add(random.nextBoolean() ? repeated : SomeJson.any(random));
      }
      comesBack(chunk(sources));
    }
  }

  @Test
  void bytesThatAreNotJsonAreReadUnchanged() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      List<byte[]> sources = new ArrayList<>(SomeJson.records(20, round));
      for (int i = 0; i < sources.size(); i++) {
        byte[] broken = sources.get(i).clone();
        for (int change = random.nextInt(4); change > 0; change--) {
          broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
        }
        sources.set(i, random.nextInt(3) == 0 ? broken : sources.get(i));
      }
      comesBack(chunk(sources));
      byte[] noise = new byte[random.nextInt(2_000)];
      random.nextBytes(noise);
      comesBack(noise);
    }
  }

  @Test
  void aPartOfADocumentCanBeRead() throws Exception {
    byte[] block = chunk(SomeJson.records(50, SEED));
    for (int cut = 0; cut < 400; cut++) {
      comesBack(Arrays.copyOfRange(block, cut, block.length - 2 * cut));
    }
  }

  @Test
  void manyShapesAreLaidOutByRows() throws Exception {
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      sources.add(SomeJson.utf8("{\"field" + i + "\":" + i + "}"));
    }
    byte[] block = chunk(sources);
    assertThat(encoder.columns(block, block.length)).isFalse();
    comesBack(block);
  }

  @Test
  void blocksWithNonCanonicalVintsAreLaidOutByRows() {
    byte[] block = {9, (byte) 0x82, 0, '{', '}'};
    assertThat(encoder.columns(block, block.length)).isFalse();
    comesBack(block);
  }

  @Test
  void listsOfManyLengthsAreOneShape() throws Exception {
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      sources.add(
          SomeJson.utf8(
              "{\"tags\":["
                  + "\"a\",".repeat(i)
                  + "\"z\"],\"n\":[1,2,3,4"
                  + ",5".repeat(i)
                  + "]}"));
    }
    byte[] block = chunk(sources);
    assertThat(encoder.columns(block, block.length)).isTrue();
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
  }

  @Test
  void prettyPrintedDocumentsAreLaidOutByColumns() throws Exception {
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      sources.add(
          SomeJson.utf8(
              "{\r\n  \"name\" : \"number "
                  + i
                  + "\",\n\t\"tags\" : [\n    \"a\",\n    \"b\"\n  ],\n  \"n\" : "
                  + i * 7
                  + "\n}\n"));
    }
    byte[] block = chunk(sources);
    assertThat(encoder.columns(block, block.length)).isTrue();
    assertThat(encoder.length()).isLessThan(block.length / 3);
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
  }

  @Test
  void similarNumbersAreLaidOutByDigits() throws Exception {
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sources.add(SomeJson.utf8("{\"time\":" + (1_700_000_000_000L + i * 977L) + "}"));
    }
    byte[] block = chunk(sources);
    assertThat(encoder.columns(block, block.length)).isTrue();
    assertThat(new String(encoder.payload(), 0, encoder.length(), UTF_8)).doesNotContain("\n");
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
  }

  @Test
  void aValueThatRepeatsOthersOfItsDocumentRefersToThem() throws Exception {
    Random random = new Random(SEED);
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      sources.add(accessLog(random, "GET"));
    }
    byte[] block = chunk(sources);
    assertThat(encoder.columns(block, block.length)).isTrue();
    assertThat(encoder.length()).isLessThan(block.length / 2);
    assertThat(decoded(0, block.length, block.length)).isEqualTo(block);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(block.length);
      int length = 1 + random.nextInt(block.length - from);
      assertThat(decoded(from, length, block.length))
          .isEqualTo(Arrays.copyOfRange(block, from, from + length));
    }
  }

  private static byte[] accessLog(Random random, String verb) {
    String ip = random.nextInt(256) + "." + random.nextInt(256) + ".0.1";
    String request = "/page/" + Integer.toHexString(random.nextInt());
    String time = "2026-01-01T00:00:" + (10 + random.nextInt(50));
    int size = random.nextInt(1_000_000);
    String line = ip + " - [" + time + "] \\\"" + verb + " " + request + "\\\" 200 " + size;
    return SomeJson.utf8(
        "{\"message\":\"%s\",\"again\":\"%s\",\"ip\":\"%s\",\"request\":\"%s\",\"time\":\"%s\",\"size\":%d,\"verb\":\"%s\"}"
            .formatted(line, line, ip, request, time, size, verb));
  }

  @Test
  void valuesWithReferenceBytesAreReadUnchanged() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      List<byte[]> sources = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        byte[] source = accessLog(random, List.of("GET", "", "P", "POST").get(random.nextInt(4)));
        for (int change = random.nextInt(40) - 36; change > 0; change--) {
          source[10 + random.nextInt(source.length - 20)] = (byte) random.nextInt(0x30);
        }
        sources.add(source);
      }
      comesBack(chunk(sources));
    }
  }

  @Test
  void aFollowingSpaceOrAnEmptyValueIsKept() throws Exception {
    List<byte[]> sources = new ArrayList<>();
    for (String value : List.of("", " ", "a", " a", "a ", "  ", "abc", "\\n", "ab")) {
      for (int i = 0; i < 12; i++) {
        sources.add(SomeJson.utf8("{\"a\":\"" + value + "\",\"b\":\"" + value.strip() + i + "\"}"));
      }
    }
    comesBack(chunk(sources));
  }
}
