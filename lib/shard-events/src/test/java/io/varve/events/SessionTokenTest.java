package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {

  private static final String UUID = "AAECAwQFBgcICQoLDA0ODw";
  private static final ShardId A0 = new ShardId(UUID, 0);
  private static final ShardId A1 = new ShardId(UUID, 1);
  private static final ShardId B0 = new ShardId("other-uuid", 0);

  @Test
  void namesTheHighestSeqNoOfEachShard() {
    SessionToken token = SessionToken.NONE.plus(A0, 7).plus(A1, 0).plus(A0, 5);
    assertThat(token.seqNo(A0)).isEqualTo(7);
    assertThat(token.seqNo(A1)).isZero();
    assertThat(token.seqNo(B0)).isEqualTo(-1);
  }

  @Test
  void isReadAsItWasWritten() {
    SessionToken token = SessionToken.NONE.plus(A0, 7).plus(B0, 1L << 40).plus(A1, 0);
    assertThat(SessionToken.parse(token.text())).isEqualTo(token);
    assertThat(SessionToken.parse("")).isEqualTo(SessionToken.NONE);
    assertThat(SessionToken.NONE.text()).isEmpty();
  }

  @Test
  void anyTokenIsReadAsItWasWritten() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      SessionToken token = SessionToken.NONE;
      for (int i = random.nextInt(40); i > 0; i--) {
        byte[] uuid = new byte[16];
        new Random(random.nextInt(5)).nextBytes(uuid);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(uuid);
        token =
            token.plus(
                new ShardId(random.nextBoolean() ? text : text + "é", random.nextInt(9)),
                random.nextLong() >>> (1 + random.nextInt(62)));
      }
      assertThat(SessionToken.parse(token.text())).as("seed %d", seed).isEqualTo(token);
    }
  }

  @Test
  void isCompact() {
    SessionToken five = SessionToken.NONE;
    for (int shard = 0; shard < 5; shard++) {
      five = five.plus(new ShardId(UUID, shard), 1_000_000 + shard);
    }
    assertThat(five.text()).hasSizeLessThan(55);
  }

  @Test
  void theUnionTakesTheHigherSeqNos() {
    SessionToken one = SessionToken.NONE.plus(A0, 7).plus(A1, 3);
    SessionToken other = SessionToken.NONE.plus(A0, 5).plus(B0, 9);
    assertThat(one.plus(other)).isEqualTo(SessionToken.NONE.plus(A1, 3).plus(A0, 7).plus(B0, 9));
  }

  @Test
  void theUnionOfManyIsThatOfEachWithTheNext() {
    SessionToken first = SessionToken.NONE.plus(A0, 7).plus(A1, 3);
    SessionToken second = SessionToken.NONE.plus(B0, 4).plus(A0, 6);
    SessionToken third = SessionToken.NONE.plus(A1, 9);

    SessionToken union = SessionToken.merged(List.of(first, SessionToken.NONE, second, third));

    assertThat(union).isEqualTo(first.plus(second).plus(third));
    assertThat(union.shards()).containsExactly(B0, A0, A1);
    assertThat(union.seqNo(A0)).isEqualTo(7);
    assertThat(SessionToken.merged(List.of())).isEqualTo(SessionToken.NONE);
  }

  @Test
  void losesFirstWhatWasWrittenLongestAgo() {
    SessionToken token = SessionToken.NONE.plus(A0, 1).plus(A1, 2).plus(B0, 3).plus(A0, 4);
    assertThat(token.newest(2)).isEqualTo(SessionToken.NONE.plus(B0, 3).plus(A0, 4));
    assertThat(token.newest(3)).isSameAs(token);
  }

  @Test
  void forgetsIndicesThatAreGone() {
    SessionToken token = SessionToken.NONE.plus(A0, 1).plus(B0, 3);
    assertThat(token.ofIndices(UUID::equals)).isEqualTo(SessionToken.NONE.plus(A0, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"§", "A", "AQ==x", "Ag", "AQI", "AQEAAA", "AQAAAQAA", "AQABYQA", "AQABYQIAAQAB"})
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> SessionToken.parse(text)).isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void refusesAnyBeginningOfAToken() {
    String text = SessionToken.NONE.plus(A0, 7).plus(B0, 300).text();
    for (int length = 2; length < text.length(); length++) {
      String cut = text.substring(0, length);
      int end = length;
      try {
        // A token cut at the end of a run is a smaller valid token; any other cut is malformed.
        assertThat(SessionToken.parse(cut).size()).as("cut at %d", end).isLessThan(2);
      } catch (MalformedRecordException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
    }
  }
}
