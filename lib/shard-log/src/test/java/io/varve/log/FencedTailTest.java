package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RecordHeader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FencedTailTest extends FencedLogWorld {

  @Test
  void handsOnWhatIsAcceptedAndNothingElse() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).containsExactly(1L, 4L);
      assertThat(told.nextOffset).isEqualTo(6);
      assertThat(told.term).isEqualTo(2);

      data(2, 2);
      assertThat(told.accepted).containsExactly(1L, 4L, 6L);
    }
  }

  @Test
  void handsOnNothingOnceClosed() throws Exception {
    Told told = new Told();
    FencedTail.follow(log, 0, new TermFence(), told).close();

    fence(1);
    data(1, 0);

    assertThat(told.accepted).isEmpty();
  }

  @Test
  void goesOnFromTheStateThatItIsGiven() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 3, new TermFence(2, 1), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).containsExactly(4L);
    }
  }

  @Test
  void tellsOfAnOperationWhoseFenceItDidNotRead() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.followShared(log, 3, new TermFence(1, 1), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).as("the reader believes itself in term 1").containsExactly(3L);
      assertThat(told.missed).containsExactly(4L, 5L);
    }
    Told fromTheStart = new Told();
    FencedTail.follow(log, 0, new TermFence(), fromTheStart).close();
    assertThat(fromTheStart.missed).isEmpty();
  }

  @Test
  void tellsOfAGapThatItCannotExplainWithoutBlocking() throws Exception {
    fence(1);
    data(1, 0);
    data(1, 2);
    data(1, 1);
    data(1, 3);
    Told told = new Told();

    try (FencedTail tail = FencedTail.followShared(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).containsExactly(1L, 3L);
      assertThat(told.gaps).containsExactly(2L, 4L);
    }
  }

  @Test
  void endsAtARecordThatItCannotRead() throws Exception {
    fence(1);
    data(1, 0);
    unreadableRecord();
    data(1, 1);
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
      data(1, 2);
    }

    assertThat(told.accepted).containsExactly(1L);
    assertThat(told.nextOffset).isEqualTo(2);
    assertThat(told.unreadable).hasSize(1);
  }

  @Test
  void tellsOfNoPlaceWhenTheFirstRecordIsUnreadable() throws Exception {
    unreadableRecord();
    Told told = new Told();
    told.nextOffset = 77;

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
    }

    assertThat(told.unreadable).hasSize(1);
    assertThat(told.nextOffset).isEqualTo(77);
  }

  @Test
  void tellsWhenItsPlaceWasTruncated() throws Exception {
    zombieBetweenTwoTerms();
    log.truncateBefore(4);
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 1, new TermFence(), told)) {
      assertThat(tail).isNotNull();
    }

    assertThat(told.nextOffset).isEqualTo(-1);
  }

  @Test
  void aReaderEndsAtARevivalAndHasEverythingBeforeIt() throws Exception {
    fence(1);
    append(RecordHeader.data(1, 0, new byte[] {1}, new byte[] {1}));
    append(RecordHeader.revival(2, 5, "n2"));
    append(RecordHeader.data(2, 5, new byte[] {1}, new byte[] {1}));

    Told told = new Told();
    FencedTail.follow(log, 0, new TermFence(), told).close();
    assertThat(told.accepted).containsExactly(1L);
    assertThat(told.nextOffset).isEqualTo(-1);

    List<Long> replayed = new ArrayList<>();
    assertThatThrownBy(() ->
            FencedReplay.upTo(log, 0, 3, new TermFence(), stored -> replayed.add(stored.offset())))
        .isInstanceOf(LogException.OutOfRange.class)
        .hasMessageContaining("revived at offset 2");
    assertThat(replayed).containsExactly(1L);

    Told behind = new Told();
    FencedTail.follow(log, 3, new TermFence(2, 5), behind).close();
    assertThat(behind.accepted).containsExactly(3L);
  }
}
