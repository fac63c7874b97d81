package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.engine.HeldView;
import io.varve.engine.SearchView;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.host.reading.Freshness;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * A primary without periodic refreshes, and reads that require operations that are not visible yet.
 */
class ReadGateTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long PATIENT_MILLIS = 240_000;

  @TempDir Path folder;
  private NodeWorld world;
  private final List<PrimaryCopy> open = new ArrayList<>();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong();
  private final ReadGate gate = new ReadGate(meters, nanos::get);

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
  }

  @AfterEach
  void endWorld() {
    open.forEach(PrimaryCopy::close);
    world.close();
  }

  private PrimaryCopy started(String node, long term) throws Exception {
    PrimaryCopy copy = new PrimaryCopy(world.copy(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    copy.start();
    return copy;
  }

  private static long write(PrimaryCopy copy, long term, String id) throws Exception {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    WriteItem item = WriteItem.index(id, body);
    WriteResult result = copy.write(term, List.of(item), LONG).getFirst();
    assertThat(result).isInstanceOf(WriteResult.Done.class);
    return ((WriteResult.Done) result).seqNo();
  }

  @Test
  void aPrimaryRefreshesForAReadThatNeedsIt() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    long seqNo = write(copy, 1, "a");
    assertThat(copy.visible().current()).isLessThan(seqNo);

    gate.pass(copy, new ReadDemand(seqNo, -1, PATIENT_MILLIS), false);

    assertThat(copy.visible().current()).isEqualTo(seqNo);
    assertThat(
            meters
                .get("varve.read.wait")
                .tags("kind", "seq_no", "outcome", "shown")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void aRealtimeGetWaitsForNoRefresh() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    long seqNo = write(copy, 1, "a");

    gate.pass(copy, new ReadDemand(seqNo, 0, PATIENT_MILLIS), true);

    assertThat(copy.visible().current()).isLessThan(seqNo);
  }

  @Test
  void aStrongReadSeesAllThatIsInTheLog() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    long seqNo = write(copy, 1, "a");

    gate.pass(copy, new ReadDemand(-1, 0, PATIENT_MILLIS), false);

    assertThat(copy.visible().current()).isEqualTo(seqNo);
  }

  @Test
  void aPrimaryThatWasFencedAnswersNoStrongReadAlthoughItDoesNotKnow() throws Exception {
    PrimaryCopy zombie = started("n1", 1);
    PrimaryCopy successor = started("n2", 2);
    write(successor, 2, "b");

    for (boolean realtime : new boolean[] {true, false}) {
      assertThatThrownBy(() -> gate.pass(zombie, new ReadDemand(-1, 0, 300), realtime))
          .isInstanceOfSatisfying(
              ApiException.class, e -> assertThat(e.error().status()).isEqualTo(504));
    }
    assertThatCode(() -> gate.pass(successor, new ReadDemand(-1, 0, PATIENT_MILLIS), false))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsNotShownInTimeIsNamed() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    long seqNo = write(copy, 1, "a");

    assertThatThrownBy(() -> gate.pass(copy, new ReadDemand(seqNo + 3, -1, 50), false))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(504);
              assertThat(e.error().type()).isEqualTo(ReadDemand.TIMEOUT_TYPE);
              assertThat(e.error().fields())
                  .containsEntry("wanted_seq_no", seqNo + 3)
                  .containsKey("visible_seq_no");
            });
    assertThat(
            meters
                .get("varve.read.wait")
                .tags("kind", "seq_no", "outcome", "timeout")
                .timer()
                .count())
        .isEqualTo(1);
  }

  /**
   * A copy that makes the required operations visible only after the timeout, and knows the end of
   * the log much later, but within a timeout that begins anew.
   */
  private ShardCopy showsLate() {
    OffsetWatcher shown = new OffsetWatcher(-1);
    Freshness late =
        new Freshness(
            () ->
                new CompletableFuture<Long>()
                    .completeOnTimeout(7L, PATIENT_MILLIS / 2, TimeUnit.MILLISECONDS),
            shown,
            (_, _) -> {},
            nanos::get);
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "visible" -> shown;
                  case "freshness" -> late;
                  case "shard" -> NodeWorld.SHARD;
                  case "want" -> {
                    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(PATIENT_MILLIS));
                    shown.advanceTo((long) arguments[0]);
                    yield null;
                  }
                  default -> throw new AssertionError(method);
                });
  }

  @Test
  void aReadHasWaitedAlthoughTheRefreshThatItWantedEndsAtOnce() throws Exception {
    gate.pass(showsLate(), new ReadDemand(7, -1, PATIENT_MILLIS), false);

    assertThat(
            meters
                .get("varve.read.wait")
                .tags("kind", "seq_no", "outcome", "shown")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void theDemandsOfAReadShareOneTime() {
    assertThatThrownBy(() -> gate.pass(showsLate(), new ReadDemand(7, 0, PATIENT_MILLIS), false))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(504);
              assertThat(e.error().fields()).containsEntry("visible_seq_no", 7L);
            });
    assertThat(
            meters
                .get("varve.read.wait")
                .tags("kind", "staleness", "outcome", "timeout")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void aReadWithoutADemandWaitsForNothing() throws Exception {
    gate.pass(started("n1", 1), ReadDemand.NONE, false);
    assertThat(meters.getMeters()).isEmpty();
  }

  @Test
  void nothingIsLeftOfReadsThatWaitedForASeqNoThatNeverComes() throws Exception {
    PrimaryCopy copy = started("n1", 1);

    for (boolean realtime : new boolean[] {true, false}) {
      for (long beyond = 1; beyond <= 20; beyond++) {
        ReadDemand demand = new ReadDemand(Long.MAX_VALUE - beyond, -1, 1);
        assertThatThrownBy(() -> gate.pass(copy, demand, realtime))
            .isInstanceOf(ApiException.class);
      }
    }

    assertThat(copy.visible().waiting()).isZero();
    assertThat(copy.readable().waiting()).isZero();
  }

  @Test
  void aCopyThatIsStillBeingOpenedRefusesReadsAtOnce() throws Exception {
    PrimaryCopy copy = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), null);
    open.add(copy);
    List<String> asked = new ArrayList<>();
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    for (String name :
        List.of("GET docs", "POST docs", "POST search", "POST can-match", "POST open-reader")) {
      endpoints.put(name, (_, _, _, _) -> asked.add(name));
    }
    Map<String, ShardEndpoint> guarded = gate.before(endpoints);

    for (String name : endpoints.keySet()) {
      MockHttpServletRequest request = new MockHttpServletRequest();
      // The wait for the end of the log is limited even if the wait for visibility is long.
      new ReadDemand(5, 0, PATIENT_MILLIS).headers().forEach(request::addHeader);
      assertThatThrownBy(
              () -> guarded.get(name).handle(copy, "", request, new MockHttpServletResponse()))
          .isInstanceOfSatisfying(
              ApiException.class,
              e -> {
                assertThat(e.error().status()).isEqualTo(503);
                assertThat(e.error().type()).isEqualTo(ReadDemand.NOT_STARTED_TYPE);
                assertThat(e.error().reason()).contains("EMPTY").contains("ask another copy");
              });
    }
    assertThat(asked).isEmpty();

    copy.start();
    guarded
        .get("POST search")
        .handle(copy, "", new MockHttpServletRequest(), new MockHttpServletResponse());
    assertThat(asked).containsExactly("POST search");
  }

  private static void refused(ShardEndpoint endpoint, PrimaryCopy copy, ReadDemand demand) {
    assertThatThrownBy(() -> handle(endpoint, copy, demand))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.error().type()).isEqualTo(ReadDemand.NOT_STARTED_TYPE));
  }

  private static void handle(ShardEndpoint endpoint, PrimaryCopy copy, ReadDemand demand)
      throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest();
    demand.headers().forEach(request::addHeader);
    endpoint.handle(copy, "", request, new MockHttpServletResponse());
  }

  @Test
  void aPrimaryThatTakesOverAnswersSearchesFromWhatItShowedBefore() throws Exception {
    PrimaryCopy before = started("n1", 1);
    long seqNo = write(before, 1, "a");
    gate.pass(before, new ReadDemand(seqNo, -1, PATIENT_MILLIS), false);
    HeldView view = HeldView.of(before.searched().orElseThrow());
    PrimaryCopy copy = new PrimaryCopy(world.copy("n2"), 2, new WritePressure(1 << 20), null);
    open.add(copy);
    copy.takesOver(view);
    before.close();
    List<Long> shown = new ArrayList<>();
    ShardEndpoint endpoint =
        (of, _, _, _) -> {
          try (SearchView now = CopyEndpoints.searched(of).acquireView()) {
            shown.add(now.visibleSeqNo());
          }
        };
    Map<String, ShardEndpoint> guarded =
        gate.before(Map.of("POST search", endpoint, "GET docs", endpoint));

    handle(guarded.get("POST search"), copy, ReadDemand.NONE);
    handle(guarded.get("POST search"), copy, new ReadDemand(seqNo, -1, PATIENT_MILLIS));
    refused(guarded.get("POST search"), copy, new ReadDemand(seqNo + 1, -1, PATIENT_MILLIS));
    refused(guarded.get("POST search"), copy, new ReadDemand(-1, PATIENT_MILLIS, PATIENT_MILLIS));
    refused(guarded.get("GET docs"), copy, ReadDemand.NONE);
    assertThat(shown).containsExactly(seqNo, seqNo);

    copy.start();

    assertThat(copy.shownBefore()).isEmpty();
    handle(guarded.get("POST search"), copy, ReadDemand.NONE);
    assertThat(shown).containsExactly(seqNo, seqNo, seqNo);
    assertThatThrownBy(view::acquireView).isInstanceOf(ApiException.class);
  }

  /** A started copy that records that searches begin. */
  private static ShardCopy records(List<String> events) {
    return (ShardCopy)
        Proxy.newProxyInstance(
            ReadGateTest.class.getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "state" -> ShardCopy.State.STARTED;
                  case "serves" -> true;
                  case "strong" -> false;
                  case "searchBegins" -> {
                    events.add("begins");
                    yield null;
                  }
                  default -> throw new AssertionError(method);
                });
  }

  @Test
  void readsOfRefreshedOperationsEndTheIdlenessOfACopyBeforeTheyRead() throws Exception {
    List<String> events = new ArrayList<>();
    ShardCopy copy = records(events);
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    List<String> searches =
        List.of(
            "POST search",
            "POST can-match",
            "POST search-statistics",
            "POST scroll",
            "POST open-reader");
    for (String name : searches) {
      endpoints.put(name, (_, _, _, _) -> events.add("reads"));
    }
    endpoints.put("GET docs", (_, _, _, _) -> events.add("gets"));
    Map<String, ShardEndpoint> guarded = gate.before(endpoints);

    for (String name : searches) {
      events.clear();
      guarded
          .get(name)
          .handle(copy, "", new MockHttpServletRequest(), new MockHttpServletResponse());
      assertThat(events).as(name).containsExactly("begins", "reads");
    }
    events.clear();
    MockHttpServletRequest notRealtime = new MockHttpServletRequest();
    notRealtime.setParameter("realtime", "false");
    guarded.get("GET docs").handle(copy, "", notRealtime, new MockHttpServletResponse());
    assertThat(events).containsExactly("begins", "gets");
  }

  @Test
  void otherReadsLeaveACopyIdle() throws Exception {
    List<String> events = new ArrayList<>();
    ShardCopy copy = records(events);
    ShardEndpoint reads = (_, _, _, _) -> events.add("reads");
    Map<String, ShardEndpoint> guarded =
        gate.before(Map.of("GET docs", reads, "POST search", reads, "GET stats", reads));
    MockHttpServletRequest ofContext = new MockHttpServletRequest();
    ofContext.addHeader("Varve-Context", "c");

    guarded
        .get("GET docs")
        .handle(copy, "", new MockHttpServletRequest(), new MockHttpServletResponse());
    guarded.get("POST search").handle(copy, "", ofContext, new MockHttpServletResponse());
    guarded
        .get("GET stats")
        .handle(copy, "", new MockHttpServletRequest(), new MockHttpServletResponse());

    assertThat(events).containsExactly("reads", "reads", "reads");
  }
}
