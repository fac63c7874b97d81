package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract of a partition with fences: of {@link FencedTail} and {@link FencedWriter}. */
public abstract class FencedPartitionContract extends PartitionLogContract {

  @Test
  void aTailHandsOnWhatIsAcceptedAndTellsHowFarItRead() throws Exception {
    PartitionLog log = newPartition();
    append(log, RecordHeader.fence(1, "n1")).get(60, TimeUnit.SECONDS);
    append(log, record(0)).get(60, TimeUnit.SECONDS);
    append(log, RawRecord.keyed(new byte[] {1}, new byte[] {2})).get(60, TimeUnit.SECONDS);
    append(log, record(5)).get(60, TimeUnit.SECONDS);
    append(log, RecordHeader.fence(2, "n2")).get(60, TimeUnit.SECONDS);
    append(log, record(1)).get(60, TimeUnit.SECONDS);
    List<Long> accepted = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Long> termAtTheEnd = new CompletableFuture<>();
    try (FencedTail tail =
        FencedTail.follow(
            log,
            0,
            new TermFence(),
            new FencedTail.Listener() {
              @Override
              public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
                accepted.addAll(seqNos(batch));
                if (nextOffset == 6) {
                  termAtTheEnd.complete(term);
                }
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                termAtTheEnd.completeExceptionally(reason);
              }
            })) {
      assertThat(termAtTheEnd.get(60, TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(accepted).containsExactly(0L);
    }
  }

  @Test
  void aTailEndsBeforeARecordThatCanNotBeRead() throws Exception {
    PartitionLog log = newPartition();
    append(log, RecordHeader.fence(1, "n1")).get(60, TimeUnit.SECONDS);
    append(log, record(0)).get(60, TimeUnit.SECONDS);
    append(log, new RawRecord(null, null, new byte[] {(byte) 0xF0})).get(60, TimeUnit.SECONDS);
    append(log, record(1)).get(60, TimeUnit.SECONDS);
    List<Long> accepted = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<String> unreadable = new CompletableFuture<>();
    try (FencedTail tail =
        FencedTail.follow(
            log,
            0,
            new TermFence(),
            new FencedTail.Listener() {
              @Override
              public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
                accepted.addAll(seqNos(batch));
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                unreadable.completeExceptionally(reason);
              }

              @Override
              public void unreadable(UnreadableRecordException reason) {
                unreadable.complete(reason.getMessage());
              }
            })) {
      assertThat(unreadable.get(60, TimeUnit.SECONDS))
          .contains("offset 2 of topic " + log.topic() + ", partition 0");
      assertThat(accepted).containsExactly(0L);
    }
  }

  @Test
  void twoWritersFenceEachOther() throws Exception {
    PartitionLog log = newPartition();
    List<String> closed = Collections.synchronizedList(new ArrayList<>());
    FencedWriter old = open(log, 1, closed);
    CompletableFuture<FencedWriter.Outcome> before = new CompletableFuture<>();
    old.append(record(0), before::complete);
    assertThat(before.get(60, TimeUnit.SECONDS)).isInstanceOf(FencedWriter.Outcome.Accepted.class);
    FencedWriter successor = open(log, 2, closed);
    CompletableFuture<FencedWriter.Outcome> zombie = new CompletableFuture<>();
    old.append(record(1), zombie::complete);
    assertThat(zombie.get(60, TimeUnit.SECONDS)).isInstanceOf(FencedWriter.Outcome.Rejected.class);
    CompletableFuture<FencedWriter.Outcome> after = new CompletableFuture<>();
    successor.append(RecordHeader.data(2, 1, new byte[] {1}, new byte[] {1}), after::complete);
    assertThat(after.get(60, TimeUnit.SECONDS)).isInstanceOf(FencedWriter.Outcome.Accepted.class);
    // The listener is called after the callbacks with the outcomes.
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !closed.isEmpty());
    assertThat(closed).containsExactly("fenced by term 2");
  }

  private static FencedWriter open(PartitionLog log, long term, List<String> closed)
      throws Exception {
    FencedWriter writer =
        new FencedWriter(
            log,
            term,
            "n" + term,
            r -> Thread.ofVirtual().start(r),
            (reason, newer) -> closed.add(reason));
    CompletableFuture<FencedWriter.Outcome> fenced = new CompletableFuture<>();
    writer.appendFence(fenced::complete);
    long offset = ((FencedWriter.Outcome.Accepted) fenced.get(60, TimeUnit.SECONDS)).offset();
    TermFence fence = new TermFence();
    TermFence.Verdict own = FencedReplay.upTo(log, 0, offset, fence, r -> {});
    assertThat(writer.open(fence, own)).isTrue();
    return writer;
  }
}
