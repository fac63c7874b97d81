package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.ClusterSettings;
import io.varve.engine.SearchView;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.host.ShardCopy.State;
import io.varve.host.http.ReadGate;
import io.varve.host.http.ShardEndpoint;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * A shard with three replicas in its routing. Only blocks that searches read are transferred, until
 * a test releases the rest.
 */
@Timeout(300)
class OpeningTest {

  private static final int DOCS = 6_000;

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 3);
    world.openPrimary();
    settings(Map.of());
    world.indexLong(0, DOCS);
    world.refresh();
    world.transfers.hold();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private void settings(Map<String, String> more) throws Exception {
    Map<String, String> all = new TreeMap<>(Map.of(ClusterSettings.OPENING_MIN_SIZE, "1b"));
    all.putAll(more);
    world.clusterSettings(all);
  }

  private SegmentReplicaCopy begin(int number) throws Exception {
    SegmentReplicaCopy replica = world.newReplica(number);
    var _ = Thread.ofVirtual().start(() -> start(replica));
    return replica;
  }

  private static void start(ShardCopy copy) {
    try {
      copy.start();
    } catch (Exception e) {
      // Closed before its files arrived, as in most tests of this class.
      System.getLogger("test").log(System.Logger.Level.DEBUG, "not started", e);
    }
  }

  private SegmentReplicaCopy opened() throws Exception {
    SegmentReplicaCopy replica = begin(1);
    awaitState(replica, State.OPENED);
    return replica;
  }

  private static void awaitState(ShardCopy copy, State state) {
    Awaitility.await().atMost(ReplicaWorld.SOON.multipliedBy(2)).until(() -> copy.state() == state);
  }

  private static int count(ShardCopy copy, String word) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(new TermQuery(new Term("title", word)));
    }
  }

  private long bytesInFolder(String node) throws IOException {
    try (Stream<Path> files = Files.list(world.indexFolder(node))) {
      return files.mapToLong(OpeningTest::size).sum();
    }
  }

  private static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      return 0;
    }
  }

  @Test
  void aNewReplicaAnswersBeforeItsFilesAreHere() throws Exception {
    SegmentReplicaCopy replica = opened();

    assertThat(replica.showsNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(hits(replica)).isEqualTo(DOCS);
    assertThat(count(replica, "number")).isEqualTo(DOCS);
    assertThat(count(replica, "77")).isEqualTo(1);
    assertThat(replica.searchable().orElseThrow().get("book-77", false).found()).isTrue();
    long all = world.newestManifest().files().stream().mapToLong(SegmentFile::lengthBytes).sum();
    assertThat(bytesInFolder("n2")).isLessThan(all / 2);
    assertThat(replica.stats().kept().copied().openingBytes()).isBetween(1L, all - 1);
  }

  @Test
  void whatIsOpenedIsNoCopyYet() throws Exception {
    SegmentReplicaCopy replica = opened();

    CopyProgress progress = replica.progress();
    assertThat(progress.state()).isEqualTo(CopyProgress.OPENED);
    assertThat(progress.visibleSeqNo()).isEqualTo(DOCS - 1);
    assertThat(progress.generation()).isEqualTo(-1);
    assertThat(progress.appliedOffset()).isZero();
    assertThat(progress.bytesBehind()).isPositive();
    assertThat(replica.snapshots().orElseThrow().sent().bytes().sum()).isZero();
    replica.close();
    assertThat(world.indexFolder("n2").resolve("manifest.json")).doesNotExist();
  }

  @Test
  void itGoesOnWithNewerManifestsWhileItsFilesCome() throws Exception {
    SegmentReplicaCopy replica = opened();
    for (int round = 1; round <= 5; round++) {
      world.index(DOCS + 10 * round, DOCS + 10 * round + 10);
      world.delete(100 * round, 100 * round + 20);
      world.refresh();

      assertThat(replica.showsNewest(ReplicaWorld.SOON)).isTrue();
      assertThat(hits(replica)).isEqualTo(DOCS + 10 * round - 20 * round);
    }
    assertThat(replica.state()).isEqualTo(State.OPENED);
  }

  @Test
  void itIsStartedWhenAllIsHereAndNeedsNobodyFromThenOn() throws Exception {
    SegmentReplicaCopy replica = opened();
    world.index(DOCS, DOCS + 500);
    world.refresh();
    assertThat(replica.showsNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(hits(replica)).isEqualTo(DOCS + 500);

    world.transfers.release();

    awaitState(replica, State.STARTED);
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };
    Manifest manifest = world.newestManifest();
    for (SegmentFile file : manifest.files()) {
      assertThat(world.indexFolder("n2").resolve(file.name()))
          .hasSameBinaryContentAs(world.indexFolder("n1").resolve(file.name()));
    }
    assertThat(count(replica, "book")).isEqualTo(DOCS + 500);
    assertThat(replica.progress().generation()).isEqualTo(manifest.generation());
    try (Stream<Path> left = Files.list(world.indexFolder("n2"))) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".tmp"));
    }
  }

  @Test
  void aSourceThatIsAwayFailsTheSearchAndNotTheCopy() throws Exception {
    SegmentReplicaCopy replica = opened();
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };
    assertThatThrownBy(() -> readAll(replica)).hasStackTraceContaining("no node has");

    world.server.gate = (method, rest) -> {};

    readAll(replica);
    assertThat(replica.state()).isEqualTo(State.OPENED);
  }

  private static void readAll(SegmentReplicaCopy replica) {
    for (int n = 0; n < DOCS; n += 10) {
      assertThat(replica.searchable().orElseThrow().get("book-" + n, false).found()).isTrue();
    }
  }

  @Test
  void anotherSourceIsReadFromWhenOneFails() throws Exception {
    world.transfers.waitForPeers();
    world.transfers.takeOwnBudget();
    SegmentReplicaCopy whole = world.newReplica(1);
    whole.start();
    world.transfers.hold();
    AtomicInteger read = new AtomicInteger();
    CountDownLatch gone = new CountDownLatch(1);
    world.server.gates.put(
        "n2",
        (method, rest) -> {
          if (method.endsWith("files")) {
            read.incrementAndGet();
            if (gone.getCount() == 0) {
              throw new ApiException(503, "unavailable", "away");
            }
          }
        });
    SegmentReplicaCopy behind = begin(3);
    awaitState(behind, State.OPENED);
    assertThat(read.get()).isPositive();
    int askedOfThePrimary = world.server.filesAsked.size();

    gone.countDown();

    readAll(behind);
    assertThat(world.server.filesAsked.size()).isGreaterThan(askedOfThePrimary);
  }

  @Test
  void aReadOfItSeesWhatWasPublishedBeforeItOrGoesElsewhere() throws Exception {
    SegmentReplicaCopy replica = opened();
    List<String> handled = new CopyOnWriteArrayList<>();
    Map<String, ShardEndpoint> reads =
        Map.of(
            "POST search",
            (copy, rest, request, response) -> handled.add("search " + hits(copy)),
            "POST open-reader",
            (copy, rest, request, response) -> handled.add("reader"));
    Map<String, ShardEndpoint> patient =
        new ReadGate(new SimpleMeterRegistry(), System::nanoTime, ReplicaWorld.SOON).before(reads);
    world.index(DOCS, DOCS + 1);
    world.refresh();
    ask(patient, "POST search", replica);
    assertThat(handled).containsExactly("search " + (DOCS + 1));

    assertThatThrownBy(() -> ask(patient, "POST open-reader", replica))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("OPENED");
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };
    world.index(DOCS + 1, DOCS + 2);
    world.refresh();
    Map<String, ShardEndpoint> impatient =
        new ReadGate(new SimpleMeterRegistry(), System::nanoTime, Duration.ofMillis(1))
            .before(reads);
    assertThatThrownBy(() -> ask(impatient, "POST search", replica))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503));
    assertThat(handled).hasSize(1);
  }

  private static void ask(Map<String, ShardEndpoint> endpoints, String name, ShardCopy copy)
      throws Exception {
    Objects.requireNonNull(endpoints.get(name))
        .handle(copy, "", new MockHttpServletRequest(), new MockHttpServletResponse());
  }

  @Test
  void itIsTriedAgainUntilSomebodyHasTheFiles() throws Exception {
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };
    SegmentReplicaCopy replica = begin(1);
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> replica.state() == State.COPYING);
    assertThat(replica.searchable()).isEmpty();

    world.server.gate = (method, rest) -> {};

    awaitState(replica, State.OPENED);
    assertThat(hits(replica)).isEqualTo(DOCS);
  }

  @Test
  void aCopyThatLacksLittleOrIsToldNotToIsNotOpened() throws Exception {
    for (Map<String, String> so :
        List.of(
            Map.of(ClusterSettings.OPENING, "false"),
            Map.of(ClusterSettings.OPENING_MIN_SIZE, "1gb"))) {
      settings(so);
      SegmentReplicaCopy replica = begin(1);
      Awaitility.await()
          .atMost(ReplicaWorld.SOON)
          .until(() -> replica.progress().bytesBehind() > 0);
      assertThat(replica.state()).isEqualTo(State.COPYING);
      assertThat(replica.searchable()).isEmpty();
      replica.close();
    }
  }
}
