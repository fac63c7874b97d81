package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.cluster.FollowParameters;
import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivedBatchesTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final ReadAhead readAhead = new ReadAhead(1000);
  private final ArrivedBatches batches = new ArrivedBatches(FollowParameters.DEFAULTS, readAhead);

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
        readAhead);
  }

  private static Arrived batch(long offset, int bytes) {
    RawRecord record = RawRecord.keyed(new byte[0], new byte[bytes]);
    return new Arrived.Records(List.of(new StoredRecord(offset, 0, record)), offset + 1, false);
  }

  private CompletableFuture<Void> putting(Arrived arrived) {
    return putting(batches, arrived);
  }

  private static CompletableFuture<Void> putting(ArrivedBatches batches, Arrived arrived) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            batches.put(arrived);
            done.complete(null);
          } catch (InterruptedException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  private long nextOffset() throws InterruptedException {
    Arrived next = batches.poll(SOON.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(next).isInstanceOf(Arrived.Records.class);
    return ((Arrived.Records) next).batch().getFirst().offset();
  }

  @Test
  void aBatchBeyondTheLimitWaitsUntilAnEarlierOneWasSent() throws Exception {
    batches.put(batch(0, 600));
    batches.put(batch(1, 400));
    CompletableFuture<Void> third = putting(batch(2, 500));
    Awaitility.await().during(Duration.ofMillis(100)).atMost(SOON).until(() -> !third.isDone());

    assertThat(nextOffset()).isZero();
    assertThat(third.isDone()).as("the first batch is being sent").isFalse();
    assertThat(nextOffset()).isEqualTo(1);
    third.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(nextOffset()).isEqualTo(2);
  }

  @Test
  void aBatchThatIsLargerThanAllRoomPassesAlone() throws Exception {
    batches.put(batch(0, 5000));
    CompletableFuture<Void> second = putting(batch(1, 100));
    Awaitility.await().during(Duration.ofMillis(100)).atMost(SOON).until(() -> !second.isDone());

    assertThat(nextOffset()).isZero();
    assertThat(nextOffset()).isEqualTo(1);
  }

  @Test
  void nobodyWaitsForRoomAnyMoreOnceItIsClosed() throws Exception {
    batches.put(batch(0, 1000));
    CompletableFuture<Void> waiting = putting(batch(1, 1000));

    batches.close();

    waiting.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(nextOffset()).isZero();
    assertThat(batches.poll(0, TimeUnit.MILLISECONDS)).isNull();
    assertThat(readAhead.bytes()).isZero();
  }

  @Test
  void aShardThatHoldsNothingPassesAlthoughOthersUseAllRoom() throws Exception {
    batches.put(batch(0, 1000));
    ArrivedBatches others = new ArrivedBatches(FollowParameters.DEFAULTS, readAhead);

    others.put(batch(7, 500));

    assertThat(readAhead.bytes()).isEqualTo(1500);
    others.close();
    assertThat(readAhead.bytes()).isEqualTo(1000);
  }

  @Test
  void aShardWaitsForRoomThatAnotherUses() throws Exception {
    ArrivedBatches others = new ArrivedBatches(FollowParameters.DEFAULTS, readAhead);
    others.put(batch(7, 900));
    batches.put(batch(0, 50));
    CompletableFuture<Void> second = putting(batch(1, 100));
    Awaitility.await().during(Duration.ofMillis(100)).atMost(SOON).until(() -> !second.isDone());

    others.close();

    second.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(readAhead.bytes()).isEqualTo(150);
  }

  @ParameterizedTest(name = "{0} reads, {1} operations, {2} bytes")
  @CsvSource({"2,100,10000", "12,2,10000", "12,100,250"})
  void aShardWaitsForRoomWithinEachOfItsOwnLimits(int reads, int operations, long bytes)
      throws Exception {
    ArrivedBatches limited = limited(reads, operations, bytes);
    limited.put(batch(0, 100));
    limited.put(batch(1, 100));
    CompletableFuture<Void> third = putting(limited, batch(2, 100));
    Awaitility.await().during(Duration.ofMillis(100)).atMost(SOON).until(() -> !third.isDone());
    assertThat(limited.buffered()).isEqualTo(new ArrivedBatches.Buffered(2, 2, 200));

    assertThat(limited.poll(0, TimeUnit.MILLISECONDS)).isNotNull();
    assertThat(limited.poll(0, TimeUnit.MILLISECONDS)).isNotNull();
    third.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(limited.buffered()).isEqualTo(new ArrivedBatches.Buffered(2, 2, 200));
  }

  @Test
  void aReadBeyondTheLimitsOfItsShardPassesAlone() throws Exception {
    ArrivedBatches limited = limited(1, 1, 1);

    limited.put(batch(0, 100));

    assertThat(limited.buffered().bytes()).isEqualTo(100);
    limited.close();
    assertThat(limited.buffered()).isEqualTo(ArrivedBatches.Buffered.NOTHING);
    assertThat(readAhead.bytes()).isZero();
  }
}
