package io.varve.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordDigestTest {

  private static final long DIGEST = digest(500, "key", "value", "header");

  private static long digest(
      long timestampMillis, @Nullable String key, @Nullable String value, String header) {
    RawRecord record = new RawRecord(bytes(key), bytes(value), header.getBytes(UTF_8));
    return RecordDigest.of(new StoredRecord(7, timestampMillis, record));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  @Test
  void anotherTimeOrContentIsAnotherDigest() {
    assertThat(digest(500, "key", "value", "header")).isEqualTo(DIGEST);
    assertThat(digest(501, "key", "value", "header")).isNotEqualTo(DIGEST);
    assertThat(digest(500, "kex", "value", "header")).isNotEqualTo(DIGEST);
    assertThat(digest(500, "key", "valuf", "header")).isNotEqualTo(DIGEST);
    assertThat(digest(500, "key", "value", "headez")).isNotEqualTo(DIGEST);
  }

  @Test
  void aByteThatMovesBetweenPartsChangesTheDigest() {
    assertThat(digest(500, "keyv", "alue", "header")).isNotEqualTo(DIGEST);
    assertThat(digest(500, "ey", "value", "headerk")).isNotEqualTo(DIGEST);
    assertThat(digest(500, "key", null, "header")).isNotEqualTo(digest(500, "key", "", "header"));
  }

  @Test
  void isNeverNegative() {
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      long timestampMillis = random.nextLong(-1, Long.MAX_VALUE);
      assertThat(digest(timestampMillis, "k" + i, null, "")).isNotNegative();
    }
  }
}
