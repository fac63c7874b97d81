package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.host.NodeWorld;
import io.varve.store.CopyPlan;
import io.varve.store.CopySchedule;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.RoundFetcher;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The source from which a copy without other replicas reads a manifest's files: the publisher, over
 * HTTP, or the segment store. The content of a file identifies its source.
 */
class CopySourcesTest {

  private static final long TERM = 1;
  private static final SegmentFile FIRST = file("_0.cfs");
  private static final SegmentFile SECOND = file("_1.cfs");

  @TempDir private Path data;
  private final InMemorySegmentStore store = new InMemorySegmentStore();

  /** Files (comma-separated) and leases that were requested from the publisher. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private NodeWorld world;
  private HttpServer publisher;
  private volatile int publisherStatus = 200;
  private @Nullable StoredManifest stored;

  @BeforeEach
  void start() throws Exception {
    world = new NodeWorld(data);
    world.createIndex(Map.of(), "{}");
    publisher = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    publisher.createContext(
        "/_internal/shards/",
        exchange -> {
          URI uri = exchange.getRequestURI();
          String file = uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1);
          String names = uri.getPath().contains("/bundle/") ? uri.getQuery().substring(6) : file;
          asked.add(names);
          String content =
              Arrays.stream(names.split(",", -1))
                  .map(name -> "publisher " + name)
                  .collect(Collectors.joining());
          byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(publisherStatus, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    publisher.start();
    String url = "http://127.0.0.1:" + publisher.getAddress().getPort();
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo("publisher", "publisher", "i", Set.of(NodeInfo.PRIMARY), url)));
  }

  @AfterEach
  void close() {
    publisher.stop(0);
    world.close();
  }

  private static SegmentFile file(String name) {
    return new SegmentFile(name, ("publisher " + name).length(), "1", name);
  }

  private static Manifest manifest(SegmentFile... files) {
    return new Manifest(
        NodeWorld.SHARD, "publisher", TERM, 1, 0, 0, TERM, -1, List.of(files), "", Map.of(), 0);
  }

  private static List<CopyPlan.Fetch> all(Manifest manifest) {
    return manifest.files().stream().map(file -> new CopyPlan.Fetch(file, 0)).toList();
  }

  private void store(SegmentFile... files) throws IOException {
    Map<String, StoredManifest.Place> places =
        Arrays.stream(files)
            .collect(
                Collectors.toMap(
                    SegmentFile::name,
                    file ->
                        new StoredManifest.Place(
                            TERM, SegmentStore.Key.of(NodeWorld.SHARD, TERM, file).object(), 0)));
    for (SegmentFile file : files) {
      byte[] bytes = ("the store " + file.name()).getBytes(StandardCharsets.UTF_8);
      store.put(
          SegmentStore.Key.of(NodeWorld.SHARD, TERM, file),
          new ByteArrayInputStream(bytes),
          bytes.length);
    }
    stored = new StoredManifest(NodeWorld.SHARD, TERM, manifest(files), places);
  }

  private CopySources sources(boolean withStore) {
    StoreAccess access =
        new StoreAccess(
            "s", store, StoreAccess.Settings.DEFAULT, TransferBudget.UNLIMITED, new Semaphore(1));
    ReplicaTransfers transfers = new ReplicaTransfers();
    if (withStore) {
      transfers.give(access);
    }
    return new CopySources(
        world.copy("n1"), transfers.now(), new CopySources.Known(() -> null, () -> stored), "copy");
  }

  private static String read(CopySources.Open opened, SegmentFile file) throws IOException {
    try (InputStream in = opened.files().open(file, 0, file.lengthBytes())) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aServingCopyAsksThePublisherThoughTheStoreHasAll() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST);
    try (CopySources.Open opened =
        sources(true).open(target, all(target), TransferLane.FRESHNESS)) {
      assertThat(read(opened, FIRST)).isEqualTo("publisher _0.cfs");
    }
  }

  @Test
  void aNewCopySparesThePublisherWhenTheStoreHasAll() throws Exception {
    store(FIRST, SECOND);
    Manifest target = manifest(FIRST, SECOND);
    CopySources sources = sources(true);
    try (CopySources.Open opened = sources.open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("the store _0.cfs");
      assertThat(read(opened, SECOND)).isEqualTo("the store _1.cfs");
    }
    assertThat(asked).isEmpty();
    assertThat(sources.fromStore().bytes()).isEqualTo(FIRST.lengthBytes() + SECOND.lengthBytes());
  }

  @Test
  void aNewCopyAsksThePublisherOnlyForWhatTheStoreLacks() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST, SECOND);
    try (CopySources.Open opened = sources(true).open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("the store _0.cfs");
      assertThat(read(opened, SECOND)).isEqualTo("publisher _1.cfs");
    }
    assertThat(asked).contains("_1.cfs").doesNotContain("_0.cfs");
  }

  @Test
  void aStoreFromWhichARoundFailedIsLeftOutOfTheNextOnly() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST);
    CopySources sources = sources(true);
    sources.open(target, all(target), TransferLane.RECOVERY).close();
    sources.ended(
        new RoundFetcher.Result.Failed(CopySchedule.Failure.SOURCE_UNREACHABLE, "503 Slow Down"));

    try (CopySources.Open opened = sources.open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("publisher _0.cfs");
    }
    sources.ended(new RoundFetcher.Result.Complete());

    try (CopySources.Open opened = sources.open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("the store _0.cfs");
    }
  }

  @Test
  void aRoundThatFailedWithoutTheStoreDoesNotLeaveItOut() throws Exception {
    Manifest target = manifest(FIRST);
    CopySources sources = sources(true);
    sources.open(target, all(target), TransferLane.RECOVERY).close();
    sources.ended(
        new RoundFetcher.Result.Failed(CopySchedule.Failure.SOURCE_UNREACHABLE, "broken off"));
    store(FIRST);

    try (CopySources.Open opened = sources.open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("the store _0.cfs");
    }
  }

  @Test
  void theStoreServesACopyWhosePublisherDoesNotAnswerOrHasTheFilesNoMore() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST);
    for (int status : new int[] {500, 404}) {
      publisherStatus = status;
      try (CopySources.Open opened =
          sources(true).open(target, all(target), TransferLane.FRESHNESS)) {
        assertThat(read(opened, FIRST)).as("after %d", status).isEqualTo("the store _0.cfs");
      }
    }
    assertThat(asked).isNotEmpty();
  }

  @Test
  void filesThatOnlyThePublisherHasFailWithIt() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST, SECOND);
    CopySources sources = sources(true);
    publisherStatus = 500;
    assertThatThrownBy(() -> sources.open(target, all(target), TransferLane.FRESHNESS))
        .isInstanceOf(CopySources.UnreachableException.class);
    publisherStatus = 404;
    assertThatThrownBy(() -> sources.open(target, all(target), TransferLane.RECOVERY))
        .isInstanceOf(SourceGoneException.class);

    world.happened(new ClusterEvent.NodeLeft("publisher", "node timeout"));
    assertThatThrownBy(() -> sources.open(target, all(target), TransferLane.FRESHNESS))
        .isInstanceOf(CopySources.UnreachableException.class)
        .hasMessageContaining("is not in the cluster");
  }

  @Test
  void aSearchIsGivenTheStoreOnlyIfItHasAllFiles() throws Exception {
    store(FIRST);
    CopySources sources = sources(true);
    Manifest half = manifest(FIRST, SECOND);
    Manifest whole = manifest(FIRST);

    assertThat(sources.at(CopySources.Place.STORE, half, all(half))).isNull();
    try (CopySources.Open opened = sources.at(CopySources.Place.STORE, whole, all(whole))) {
      assertThat(read(opened, FIRST)).isEqualTo("the store _0.cfs");
    }
    assertThat(sources.at(CopySources.Place.REPLICA, whole, all(whole)))
        .as("there is no other replica")
        .isNull();
    assertThat(asked).isEmpty();
  }

  @Test
  void aNodeWithoutAStoreKnowsNoStoredManifest() throws Exception {
    store(FIRST);
    Manifest target = manifest(FIRST);
    CopySources sources = sources(false);

    assertThat(sources.storedManifest()).isNull();
    assertThat(sources(true).storedManifest()).isEqualTo(target);
    assertThat(sources.at(CopySources.Place.STORE, target, all(target))).isNull();
    try (CopySources.Open opened = sources.open(target, all(target), TransferLane.RECOVERY)) {
      assertThat(read(opened, FIRST)).isEqualTo("publisher _0.cfs");
    }
  }
}
