package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.process.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The waits of one coordinator of three, without HTTP. */
class AppliedWaitTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** A request to another coordinator, which this test answers. */
  private record Request(String nodeId, long version, CompletableFuture<Long> answer) {}

  private final PartitionLog log =
      new InMemoryMessageLog(Runnable::run, () -> 0).open("cluster", 0);
  private final ClusterView view = new ClusterView(log, _ -> {});
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final AppliedWait wait =
      new AppliedWait(
          "c1", view, this::ask, Executors.newVirtualThreadPerTaskExecutor(), Ticker.SYSTEM);
  private long seqNo;

  private long ask(NodeInfo coordinator, long version, Duration timeout)
      throws IOException, InterruptedException {
    Request request = new Request(coordinator.nodeId(), version, new CompletableFuture<>());
    requests.add(request);
    try {
      return request.answer().get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  @BeforeEach
  void form() throws Exception {
    view.start();
    append(RecordHeader.fence(1, "c1"));
    happened(new ClusterEvent.ClusterFormed("test", "uuid"));
    happened(new ClusterEvent.FeatureLevelRaised(Feature.APPLIED_VERSIONS.since()));
    for (String id : new String[] {"c1", "c2", "c3"}) {
      happened(new ClusterEvent.NodeJoined(coordinator(id)));
    }
  }

  @AfterEach
  void close() {
    wait.close();
    view.close();
  }

  private static NodeInfo coordinator(String id) {
    return new NodeInfo(id, id, id + "-1", Set.of(NodeInfo.COORDINATOR), "http://" + id);
  }

  private void happened(ClusterEvent event) throws Exception {
    append(
        RecordHeader.data(
            1, seqNo++, event.entity().getBytes(StandardCharsets.UTF_8), Json.write(event)));
  }

  private void append(RawRecord record) throws Exception {
    assertThat(Appends.await(log, record)).isNotNegative();
  }

  private CompletableFuture<Boolean> begin() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return wait.await(LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }

  private Request next() throws InterruptedException {
    Request request = requests.poll(1, TimeUnit.MINUTES);
    assertThat(request).isNotNull();
    return request;
  }

  private static boolean result(CompletableFuture<Boolean> waiting) throws Exception {
    return waiting.get(1, TimeUnit.MINUTES);
  }

  @Test
  void itEndsWhenTheLastCoordinatorHasAppliedTheVersion() throws Exception {
    CompletableFuture<Boolean> waiting = begin();
    Request first = next();
    Request second = next();

    assertThat(first.nodeId()).isNotEqualTo(second.nodeId());
    assertThat(second.version()).isEqualTo(view.current().version());
    first.answer().complete(first.version());
    assertThat(waiting).isNotDone();
    second.answer().complete(second.version() + 1);
    assertThat(result(waiting)).isTrue();
  }

  @Test
  void aCoordinatorThatCouldNotAnswerIsAskedAgain() throws Exception {
    happened(new ClusterEvent.NodeLeft("c3", "silent"));
    CompletableFuture<Boolean> waiting = begin();
    next().answer().completeExceptionally(new IOException("connection refused"));
    Request late = next();
    late.answer().complete(late.version() - 1);
    Request last = next();
    assertThat(waiting).isNotDone();

    last.answer().complete(last.version());
    assertThat(result(waiting)).isTrue();
  }

  @Test
  void itEndsWhenACoordinatorThatDoesNotAnswerIsRemoved() throws Exception {
    CompletableFuture<Boolean> waiting = begin();
    Request first = next();
    Request second = next();
    first.answer().complete(first.version());

    happened(new ClusterEvent.NodeLeft(second.nodeId(), "silent"));

    assertThat(result(waiting)).isTrue();
  }

  @Test
  void anotherStateIsAwaitedInItsOwnVersions() throws Exception {
    happened(new ClusterEvent.NodeLeft("c3", "silent"));
    long version = view.current().version() + 7;
    BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
    AppliedWait.Requests other =
        (_, wanted, _) -> {
          asked.add(wanted);
          return asked.size() == 1 ? wanted - 1 : wanted;
        };

    assertThat(wait.await(other, version, LONG)).isTrue();

    assertThat(asked).containsExactly(version, version);
    assertThat(requests).isEmpty();
  }

  @Test
  void itEndsWhenThisCoordinatorStops() throws Exception {
    CompletableFuture<Boolean> waiting = begin();
    next();
    next();

    wait.end();

    assertThat(result(waiting)).isFalse();
    assertThat(wait.await(LONG)).isFalse();
    assertThat(requests).isEmpty();
  }

  @Test
  void withoutTimeNobodyIsAsked() throws Exception {
    assertThat(wait.await(Duration.ZERO)).isFalse();
    assertThat(requests).isEmpty();
  }

  @Test
  void withoutOtherCoordinatorsNothingIsAwaited() throws Exception {
    happened(new ClusterEvent.NodeLeft("c2", "silent"));
    happened(new ClusterEvent.NodeLeft("c3", "silent"));

    assertThat(wait.await(Duration.ZERO)).isTrue();
  }
}
