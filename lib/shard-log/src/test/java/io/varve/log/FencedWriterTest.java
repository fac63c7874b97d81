package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a writer on a log whose answers the test gives one by one. */
class FencedWriterTest {

  private final ScriptedLog log = new ScriptedLog();
  private final List<String> outcomes = new ArrayList<>();
  private final List<String> closings = new ArrayList<>();

  private FencedWriter created(long term) {
    return new FencedWriter(
        log.log(),
        term,
        "n1",
        Runnable::run,
        (reason, newer) -> closings.add(reason + "/" + newer));
  }

  private FencedWriter opened(long term) throws LogException {
    FencedWriter writer = created(term);
    writer.appendFence(outcome -> outcomes.add("fence " + describe(outcome)));
    log.landAndAnswer(log.sent.size() - 1);
    TermFence fence = new TermFence();
    TermFence.Verdict own =
        FencedReplay.upTo(log.stored, 0, log.stored.endOffset() - 1, fence, r -> {});
    assertThat(writer.open(fence, own)).isTrue();
    outcomes.clear();
    return writer;
  }

  private static String describe(FencedWriter.Outcome outcome) {
    return switch (outcome) {
      case FencedWriter.Outcome.Accepted accepted -> "accepted@" + accepted.offset();
      case FencedWriter.Outcome.Unknown unknown -> "unknown";
      case FencedWriter.Outcome.Rejected rejected -> "rejected";
    };
  }

  private void append(FencedWriter writer, long term, long seqNo) throws LogException {
    assertThat(
            writer.append(
                RecordHeader.data(term, seqNo, new byte[] {1}, new byte[] {2}),
                outcome -> outcomes.add(seqNo + " " + describe(outcome))))
        .isTrue();
  }

  @Test
  void opensOnlyAfterItsFenceIsInTheLog() throws Exception {
    FencedWriter writer = created(3);
    assertThat(writer.term()).isEqualTo(3);
    writer.appendFence(outcome -> outcomes.add("fence " + describe(outcome)));
    TermFence fence = new TermFence();

    assertThat(writer.open(fence, TermFence.Verdict.FENCE_WON)).isFalse();

    log.landAndAnswer(0);
    TermFence.Verdict own = FencedReplay.upTo(log.stored, 0, 0, fence, r -> {});
    assertThat(writer.open(fence, own)).isTrue();
    assertThat(writer.open(fence, own)).as("it is open already").isFalse();
  }

  @Test
  void aFenceWithoutAnAnswerClosesIt() throws Exception {
    FencedWriter writer = created(3);
    writer.appendFence(outcome -> outcomes.add("fence " + describe(outcome)));
    log.answerUnknown(0);

    assertThat(outcomes).containsExactly("fence unknown");
    assertThat(writer.closedReason()).isEqualTo("timed out");
    assertThat(writer.close("again")).isFalse();
  }

  @Test
  void acksWhatStandsOnConsecutiveOffsets() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    assertThat(outcomes).isEmpty();
    log.landAndAnswer(1);
    log.landAndAnswer(2);
    assertThat(outcomes).containsExactly("0 accepted@1", "1 accepted@2");
  }

  @Test
  void skipsRecordsOfOtherWritersThatAreNotAccepted() throws Exception {
    FencedWriter writer = opened(2);
    log.appendByAnotherWriter(RecordHeader.data(1, 0, new byte[] {9}, new byte[] {9}));
    log.appendByAnotherWriter(RecordHeader.fence(2, "n2"));
    append(writer, 2, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).containsExactly("0 accepted@3");
    assertThat(writer.isOpen()).isTrue();
  }

  @Test
  void aFenceOfAHigherTermClosesItAndRecordsAfterTheFenceAreRejected() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    log.landAndAnswer(1);
    log.appendByAnotherWriter(RecordHeader.fence(2, "n2"));
    log.landAndAnswer(2);
    assertThat(outcomes).containsExactly("0 accepted@1", "1 rejected");
    assertThat(closings).containsExactly("fenced by term 2/2");
    assertThat(writer.append(RecordHeader.data(1, 2, new byte[0], new byte[0]), o -> {})).isFalse();
  }

  @Test
  void afterAnUnknownAppendNothingIsAcceptedAnyMore() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    log.answerUnknown(1);
    log.landAndAnswer(2);
    assertThat(outcomes).containsExactly("0 unknown", "1 unknown");
    assertThat(writer.isOpen()).isFalse();
    assertThat(closings).hasSize(1);
  }

  @Test
  void callbacksKeepTheOrderOfTheAppendsEvenIfTheAnswersDoNot() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    log.callbacks.get(2).appended(2, 0);
    assertThat(outcomes).isEmpty();
    log.callbacks.get(1).appended(1, 0);
    assertThat(outcomes).containsExactly("0 accepted@1", "1 accepted@2");
  }

  @Test
  void aFullLogLeavesTheNumberFree() throws Exception {
    FencedWriter writer = opened(1);
    log.full = true;
    assertThatThrownBy(() -> append(writer, 1, 0)).isInstanceOf(LogException.Full.class);
    log.full = false;
    append(writer, 1, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).containsExactly("0 accepted@1");
  }

  @Test
  void theSecondFenceOfATermNeverOpens() throws Exception {
    opened(1);
    FencedWriter second = new FencedWriter(log.log(), 1, "n2", Runnable::run, (r, t) -> {});
    second.appendFence(outcome -> outcomes.add(describe(outcome)));
    log.landAndAnswer(1);
    TermFence fence = new TermFence();
    TermFence.Verdict own = FencedReplay.upTo(log.stored, 0, 1, fence, r -> {});
    assertThat(own).isEqualTo(TermFence.Verdict.FENCE_LOST);
    assertThat(second.open(fence, own)).isFalse();
  }

  @Test
  void aLateRecordOfAZombieIsSkipped() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    log.landAndAnswer(1);
    FencedWriter successor = opened(2);
    append(successor, 2, 1);
    log.appendByAnotherWriter(RecordHeader.data(1, 1, new byte[] {9}, new byte[] {9}));
    log.landAndAnswer(3);
    assertThat(outcomes).containsExactly("1 accepted@4");
  }

  @Test
  void anOperationOfANewerTermClosesItEvenIfTheFenceWasNotRead() throws Exception {
    FencedWriter writer = opened(1);
    log.appendByAnotherWriter(RecordHeader.data(2, 0, new byte[] {9}, new byte[] {9}));
    append(writer, 1, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).singleElement().asString().contains("rejected");
    assertThat(writer.isOpen()).isFalse();
  }

  @Test
  void anOperationOfItsOwnTermThatItDidNotAppendClosesIt() throws Exception {
    FencedWriter writer = opened(1);
    log.appendByAnotherWriter(RecordHeader.data(1, 0, new byte[] {9}, new byte[] {9}));
    append(writer, 1, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).singleElement().asString().contains("unknown");
    assertThat(writer.isOpen()).isFalse();
  }

  @Test
  void aStrayRecordWithoutAHeaderIsSteppedOver() throws Exception {
    FencedWriter writer = opened(1);
    log.appendByAnotherWriter(RawRecord.keyed(new byte[] {1}, new byte[] {1}));
    append(writer, 1, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).containsExactly("0 accepted@2");
  }

  @Test
  void aLogThatWentBackEndsIt() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    log.landAndAnswer(1);
    log.callbacks.get(2).appended(0, 0);
    assertThat(outcomes).containsExactly("0 accepted@1", "1 unknown");
    assertThat(closings).containsExactly("the log lost its tail: offset 0 where 2 was next/0");
  }

  @Test
  void aGapThatCanNotBeReadEndsIt() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    log.callbacks.get(1).appended(7, 0);
    assertThat(outcomes).containsExactly("0 unknown");
    assertThat(closings).hasSize(1);
  }

  @Test
  void closingTellsAllThatIsInFlightOnceAndInOrder() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    assertThat(writer.close("enough")).isTrue();
    assertThat(writer.close("again")).isFalse();
    assertThat(log.ended).as("the log may free what it holds for the writer").isOne();
    log.landAndAnswer(1);
    log.answerUnknown(2);
    assertThat(outcomes).containsExactly("0 unknown", "1 unknown");
    assertThat(closings).as("who closes it himself need not be told").isEmpty();
    assertThat(writer.closedReason()).isEqualTo("enough");
  }

  @Test
  void closingInOrderTakesNothingMoreAndWaitsForWhatIsInFlight() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    append(writer, 1, 1);
    CompletableFuture<Boolean> closing =
        CompletableFuture.supplyAsync(() -> writer.close("enough", Duration.ofMinutes(2)));
    await().atMost(Duration.ofMinutes(1)).until(() -> !writer.isOpen());
    assertThat(writer.append(RecordHeader.fence(1, "n1"), outcome -> outcomes.add("more")))
        .isFalse();
    log.landAndAnswer(1);
    assertThat(closing.isDone()).isFalse();
    log.appendByAnotherWriter(RecordHeader.fence(2, "n2"));
    log.landAndAnswer(2);

    closing.get(60, TimeUnit.SECONDS);

    assertThat(outcomes).containsExactly("0 accepted@1", "1 rejected");
  }

  @Test
  void closingInOrderWaitsNoLongerThanItMay() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);

    assertThat(writer.close("enough", Duration.ofMillis(20))).isTrue();

    assertThat(outcomes).containsExactly("0 unknown");
  }

  @Test
  void aCompletionThatThrowsKeepsNobodyFromHearing() throws Exception {
    FencedWriter writer = opened(1);
    writer.append(
        RecordHeader.data(1, 0, new byte[] {1}, new byte[] {2}),
        outcome -> {
          throw new IllegalStateException("on purpose");
        });
    append(writer, 1, 1);
    log.landAndAnswer(1);
    log.landAndAnswer(2);
    assertThat(outcomes).containsExactly("1 accepted@2");
  }

  @Test
  void aRecordThatTheLogRefusesToTakeLeavesNoTrace() throws Exception {
    FencedWriter writer = opened(1);
    log.refusal = new IllegalArgumentException("too large");
    assertThatThrownBy(() -> append(writer, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    log.refusal = null;
    append(writer, 1, 0);
    log.landAndAnswer(1);
    assertThat(outcomes).containsExactly("0 accepted@1");
  }

  @Test
  void answersDoNotWaitForAnAppendThatBlocks() throws Exception {
    FencedWriter writer = opened(1);
    append(writer, 1, 0);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    log.whileAppending =
        () -> {
          entered.countDown();
          leave.await();
        };
    CompletableFuture<FencedWriter.Outcome> blocked = new CompletableFuture<>();
    Thread appender =
        Thread.ofVirtual()
            .start(() -> {
              try {
                writer.append(
                    RecordHeader.data(1, 1, new byte[] {1}, new byte[] {2}), blocked::complete);
              } catch (LogException.Full e) {
                blocked.completeExceptionally(e);
              }
            });
    entered.await();
    log.landAndAnswer(1);
    assertThat(outcomes).containsExactly("0 accepted@1");
    assertThat(writer.close("meanwhile")).isTrue();
    assertThat(blocked).as("it may turn out never to have been sent").isNotDone();
    leave.countDown();
    assertThat(blocked.get(60, TimeUnit.SECONDS))
        .isEqualTo(new FencedWriter.Outcome.Unknown("meanwhile"));
    appender.join();
  }

  @Test
  void aFenceThatTheLogHadNoRoomForCanBeTriedAgain() throws Exception {
    FencedWriter writer = new FencedWriter(log.log(), 1, "n1", Runnable::run, (r, t) -> {});
    log.full = true;
    assertThatThrownBy(() -> writer.appendFence(outcome -> {}))
        .isInstanceOf(LogException.Full.class);
    log.full = false;
    writer.appendFence(outcome -> outcomes.add(describe(outcome)));
    log.landAndAnswer(0);
    assertThat(outcomes).containsExactly("accepted@0");
  }
}
