package io.varve.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.codec.Lz4Sequences.DamagedBlockException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.util.compress.LZ4;
import org.junit.jupiter.api.Test;

class Lz4SequencesTest {

  private static final long SEED = 104;

  /** Text of repeated pieces of all lengths, at all distances. */
  private static byte[] content(Random random, int length) {
    byte[] content = new byte[length];
    int at = 0;
    while (at < length) {
      int piece = Math.min(length - at, 1 + random.nextInt(random.nextInt(8) == 0 ? 400 : 24));
      int distance = 1 + random.nextInt(random.nextBoolean() ? 20 : 2_000);
      for (int i = at; i < at + piece; i++) {
        content[i] = i < distance ? (byte) random.nextInt() : content[i - distance];
      }
      at += piece;
      if (at < length) {
        content[at++] = (byte) random.nextInt();
      }
    }
    return content;
  }

  private static byte[] compressed(byte[] content, int dictionary) throws Exception {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    LZ4.compressWithDictionary(
        content,
        0,
        dictionary,
        content.length - dictionary,
        out,
        new LZ4.FastCompressionHashTable());
    return out.toArrayCopy();
  }

  private static byte[] withSlack(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length + Lz4Sequences.SLACK);
  }

  private static Lz4Sequences begun(byte[] block, byte[] target, int dictionary) {
    Lz4Sequences sequences = new Lz4Sequences();
    sequences.begin(
        withSlack(block),
        block.length,
        target,
        dictionary,
        target.length - Lz4Sequences.SLACK - dictionary);
    return sequences;
  }

  @Test
  void decodesWhatLuceneCompressedInStepsOfAnySize() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 400; round++) {
      byte[] content = content(random, 1 + random.nextInt(12_000));
      int dictionary = random.nextInt(Math.min(content.length, 5_000));
      byte[] target = new byte[content.length + Lz4Sequences.SLACK];
      System.arraycopy(content, 0, target, 0, dictionary);
      Lz4Sequences sequences = begun(compressed(content, dictionary), target, dictionary);

      for (int upTo = dictionary; upTo < content.length; ) {
        upTo = Math.min(content.length, upTo + 1 + random.nextInt(3_000));
        sequences.decodeTo(upTo);
        assertThat(Arrays.mismatch(content, 0, upTo, target, 0, upTo)).isEqualTo(-1);
      }
    }
  }

  @Test
  void aMatchMayOverlapItself() throws Exception {
    // One literal, a match of 19 + 255 + 3 bytes at distance 1, and five literals.
    byte[] block = {0x1F, 'x', 1, 0, (byte) 0xFF, 3, 0x50, 'a', 'b', 'c', 'd', 'e'};
    byte[] target = new byte[283 + Lz4Sequences.SLACK];

    begun(block, target, 0).decodeTo(283);

    assertThat(new String(target, 0, 283, StandardCharsets.UTF_8))
        .isEqualTo("x".repeat(278) + "abcde");
  }

  @Test
  void theDistanceOfAMatchMustNotReachBeforeTheTarget() {
    byte[] block = {0x10, 'x', 2, 0, 0x50, 'a', 'b', 'c', 'd', 'e'};

    assertThatThrownBy(() -> begun(block, new byte[10 + Lz4Sequences.SLACK], 0).decodeTo(10))
        .isInstanceOf(DamagedBlockException.class)
        .hasMessage("distance of 2 at 1, the block ends at 10");
  }

  @Test
  void aDistanceOfZeroIsRefused() {
    byte[] block = {0x10, 'x', 0, 0, 0x50, 'a', 'b', 'c', 'd', 'e'};

    assertThatThrownBy(() -> begun(block, new byte[10 + Lz4Sequences.SLACK], 0).decodeTo(10))
        .isInstanceOf(DamagedBlockException.class);
  }

  @Test
  void damageIsReportedOrDecodedWithinTheBlock() throws Exception {
    Random random = new Random(SEED);
    byte[] content = content(random, 3_000);
    byte[] block = compressed(content, 0);
    int reported = 0;
    for (int round = 0; round < 3_000; round++) {
      byte[] damaged = block.clone();
      damaged[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
      damaged = Arrays.copyOf(damaged, 1 + random.nextInt(block.length));
      byte[] target = new byte[content.length + Lz4Sequences.SLACK];
      try {
        begun(damaged, target, 0).decodeTo(content.length);
      } catch (DamagedBlockException e) {
        reported++;
      }
    }
    assertThat(reported).isGreaterThan(2_900);
  }
}
