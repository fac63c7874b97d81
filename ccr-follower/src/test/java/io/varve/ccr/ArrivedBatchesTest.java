package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.cluster.FollowParameters;
import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivedBatchesTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final ReadAhead readAhead = new ReadAhead(1000);
  private final AtomicInteger wakes = new AtomicInteger();

  /** Sends each batch by itself. */
  private final ArrivedBatches batches =
      new ArrivedBatches(
          limits(12, 1, Long.MAX_VALUE, Integer.MAX_VALUE, 512 << 20),
          readAhead,
          wakes::incrementAndGet);

  private ArrivedBatches limited(int reads, int operations, long bytes) {
    return new ArrivedBatches(
        limits(reads, 1, Long.MAX_VALUE, operations, bytes), readAhead, () -> {});
  }

  private static FollowParameters limits(
      int reads, int writeOperations, long writeBytes, int operations, long bytes) {
    FollowParameters d = FollowParameters.DEFAULTS;
    return new FollowParameters(
        d.maxReadRequestOperationCount(),
        d.maxReadRequestSizeBytes(),
        reads,
        writeOperations,
        writeBytes,
        d.maxOutstandingWriteRequests(),
        operations,
        bytes,
        d.maxRetryDelayMillis(),
        d.readPollTimeoutMillis());
  }

  private static Arrived batch(long offset, int bytes) {
    return batch(offset, bytes, false);
  }

  private static Arrived batch(long offset, int bytes, boolean afterInterruption) {
    RawRecord record = RawRecord.keyed(new byte[0], new byte[bytes]);
    return new Arrived.Records(
        List.of(new StoredRecord(offset, 0, record)), offset + 1, afterInterruption);
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

  @ParameterizedTest(name = "{0} operations, {1} bytes in a request")
  @CsvSource({
    // operations and bytes of a request, offsets of the three batches of 100 bytes by request
    "10, 1000, 0 1 2",
    " 2, 1000, 0 1|2",
    "10,  299, 0 1|2",
    "10,  199, 0|1|2",
    " 1, 1000, 0|1|2",
    "10,   10, 0|1|2",
  })
  void batchesThatArrivedMeanwhileAreJoinedUpToTheSizeOfARequest(
      int operations, long bytes, String requests) throws Exception {
    ArrivedBatches joining = joining(operations, bytes);
    for (int offset = 0; offset < 3; offset++) {
      joining.put(batch(offset, 100));
    }

    assertThat(drained(joining)).isEqualTo(requests);
    assertThat(joining.buffered()).isEqualTo(ArrivedBatches.Buffered.NOTHING);
    assertThat(readAhead.bytes()).isZero();
  }

  @Test
  void aBatchBeforeWhichTheHistoryIsComparedIsNotJoinedWithThoseBeforeIt() throws Exception {
    ArrivedBatches joining = joining(10, 1000);
    joining.put(batch(0, 100));
    joining.put(batch(1, 100, true));
    joining.put(batch(2, 100));

    assertThat(drained(joining)).isEqualTo("0|interrupted 1 2");
  }

  @Test
  void nothingIsJoinedWithTheEndOfTheReader() throws Exception {
    ArrivedBatches joining = joining(10, 1000);
    joining.put(batch(0, 100));
    joining.put(new Arrived.Lost("truncated"));

    assertThat(drained(joining)).isEqualTo("0|lost");
  }

  @Test
  void joinedBatchesCountUntilTheyWereSent() throws Exception {
    ArrivedBatches joining = joining(10, 1000);
    joining.put(batch(0, 100));
    joining.put(batch(1, 100));

    assertThat(joining.poll(0, TimeUnit.MILLISECONDS))
        .isInstanceOfSatisfying(
            Arrived.Records.class, records -> assertThat(records.nextOffset()).isEqualTo(2));
    assertThat(joining.buffered()).isEqualTo(new ArrivedBatches.Buffered(2, 2, 200));
  }

  private ArrivedBatches joining(int operations, long bytes) {
    return new ArrivedBatches(
        limits(12, operations, bytes, Integer.MAX_VALUE, 1 << 20), readAhead, () -> {});
  }

  /** The offsets of all batches. */
  private static String drained(ArrivedBatches batches) throws InterruptedException {
    List<String> requests = new ArrayList<>();
    for (Arrived next = batches.poll(0, TimeUnit.MILLISECONDS);
        next != null;
        next = batches.poll(0, TimeUnit.MILLISECONDS)) {
      requests.add(
          switch (next) {
            case Arrived.Records(List<StoredRecord> batch, _, boolean interrupted) ->
                (interrupted ? "interrupted " : "")
                    + batch.stream()
                        .map(stored -> Long.toString(stored.offset()))
                        .collect(Collectors.joining(" "));
            case Arrived.Lost _ -> "lost";
            case Arrived.Unreadable _ -> "unreadable";
          });
    }
    return String.join("|", requests);
  }
}
