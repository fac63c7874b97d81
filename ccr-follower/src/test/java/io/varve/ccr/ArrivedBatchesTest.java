package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.cluster.FollowParameters;
import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivedBatchesTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final ReadAhead readAhead = new ReadAhead(1000);
  private final AtomicInteger wakes = new AtomicInteger();
  private final ArrivedBatches batches =
      new ArrivedBatches(FollowParameters.DEFAULTS, readAhead, wakes::incrementAndGet);

  private ArrivedBatches limited(int reads, int operations, long bytes) {
    FollowParameters d = FollowParameters.DEFAULTS;
    return new ArrivedBatches(
        new FollowParameters(
            d.maxReadRequestOperationCount(),
            d.maxReadRequestSizeBytes(),
            reads,
            d.maxWriteRequestOperationCount(),
            d.maxWriteRequestSizeBytes(),
            d.maxOutstandingWriteRequests(),
            operations,
            bytes,
            d.maxRetryDelayMillis(),
            d.readPollTimeoutMillis()),
        readAhead,
        () -> {});
  }

  private static Arrived batch(long offset, int bytes) {
    RawRecord record = RawRecord.keyed(new byte[0], new byte[bytes]);
    return new Arrived.Records(List.of(new StoredRecord(offset, 0, record)), offset + 1, false);
  }

  private long nextOffset() throws InterruptedException {
    Arrived next = batches.poll(SOON.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(next).isInstanceOf(Arrived.Records.class);
    return ((Arrived.Records) next).batch().getFirst().offset();
  }

  @Test
  void nothingIsReadBeyondTheLimitOfTheProcessUntilAnEarlierBatchWasSent() throws Exception {
    batches.put(batch(0, 600));
    assertThat(batches.isReady()).isTrue();
    batches.put(batch(1, 400));
    assertThat(batches.isReady()).isFalse();

    assertThat(nextOffset()).isZero();
    assertThat(batches.isReady()).as("the first batch is being sent").isFalse();
    assertThat(nextOffset()).isEqualTo(1);
    assertThat(batches.isReady()).isTrue();
    assertThat(wakes).hasPositiveValue();
  }

  @Test
  void aBatchThatIsLargerThanAllRoomPassesAlone() throws Exception {
    batches.put(batch(0, 5000));
    assertThat(batches.isReady()).isFalse();

    assertThat(nextOffset()).isZero();
    assertThat(batches.poll(0, TimeUnit.MILLISECONDS)).isNull();
    assertThat(batches.isReady()).isTrue();
  }

  @Test
  void whatWasReadBeforeTheReaderWasToldToWaitIsTakenToo() throws Exception {
    batches.put(batch(0, 1000));
    assertThat(batches.isReady()).isFalse();

    batches.put(batch(1, 1000));

    assertThat(nextOffset()).isZero();
    assertThat(nextOffset()).isEqualTo(1);
  }

  @Test
  void aClosedOneIsReadyAndDropsEverything() throws Exception {
    batches.put(batch(0, 1000));

    batches.close();
    batches.put(batch(1, 1000));

    assertThat(batches.isReady()).isTrue();
    assertThat(nextOffset()).isZero();
    assertThat(batches.poll(0, TimeUnit.MILLISECONDS)).isNull();
    assertThat(readAhead.bytes()).isZero();
  }

  @Test
  void aShardThatHoldsNothingIsReadyAlthoughOthersUseAllRoom() {
    batches.put(batch(0, 1000));
    ArrivedBatches others = new ArrivedBatches(FollowParameters.DEFAULTS, readAhead, () -> {});
    assertThat(others.isReady()).isTrue();

    others.put(batch(7, 500));

    assertThat(readAhead.bytes()).isEqualTo(1500);
    others.close();
    assertThat(readAhead.bytes()).isEqualTo(1000);
  }

  @Test
  void aShardIsWokenWhenAnotherFreesItsRoom() {
    ArrivedBatches others = new ArrivedBatches(FollowParameters.DEFAULTS, readAhead, () -> {});
    others.put(batch(7, 950));
    batches.put(batch(0, 50));
    assertThat(batches.isReady()).isFalse();

    others.close();

    assertThat(wakes).hasValue(1);
    assertThat(batches.isReady()).isTrue();
    assertThat(readAhead.bytes()).isEqualTo(50);
  }

  @Test
  void aReaderThatWasNotToldToWaitIsNotWoken() throws Exception {
    batches.put(batch(0, 10));
    assertThat(batches.isReady()).isTrue();

    assertThat(nextOffset()).isZero();
    assertThat(batches.poll(0, TimeUnit.MILLISECONDS)).isNull();

    assertThat(wakes).hasValue(0);
  }

  @ParameterizedTest(name = "{0} reads, {1} operations, {2} bytes")
  @CsvSource({"2,100,10000", "12,2,10000", "12,100,200"})
  void aShardStaysWithinEachOfItsOwnLimits(int reads, int operations, long bytes) throws Exception {
    ArrivedBatches limited = limited(reads, operations, bytes);
    limited.put(batch(0, 100));
    assertThat(limited.isReady()).isTrue();
    limited.put(batch(1, 100));
    assertThat(limited.isReady()).isFalse();
    assertThat(limited.buffered()).isEqualTo(new ArrivedBatches.Buffered(2, 2, 200));

    assertThat(limited.poll(0, TimeUnit.MILLISECONDS)).isNotNull();
    assertThat(limited.poll(0, TimeUnit.MILLISECONDS)).isNotNull();

    assertThat(limited.isReady()).isTrue();
    assertThat(limited.buffered()).isEqualTo(new ArrivedBatches.Buffered(1, 1, 100));
  }

  @Test
  void aReadBeyondTheLimitsOfItsShardPassesAlone() {
    ArrivedBatches limited = limited(1, 1, 1);
    assertThat(limited.isReady()).isTrue();

    limited.put(batch(0, 100));

    assertThat(limited.buffered().bytes()).isEqualTo(100);
    limited.close();
    assertThat(limited.buffered()).isEqualTo(ArrivedBatches.Buffered.NOTHING);
    assertThat(readAhead.bytes()).isZero();
  }
}
