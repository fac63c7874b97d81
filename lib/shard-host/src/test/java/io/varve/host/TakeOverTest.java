package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.engine.HeldView;
import io.varve.engine.SearchMeters;
import io.varve.engine.SearchView;
import io.varve.engine.Searchable;
import io.varve.process.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replica at a place becomes the primary, whose start the test holds back. */
class TakeOverTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final long SHOWN = 7;

  @TempDir Path folder;
  private final AtomicInteger looked = new AtomicInteger();
  private final CountDownLatch mayStart = new CountDownLatch(1);
  private final List<HeldView> views = new CopyOnWriteArrayList<>();
  private final List<Boolean> primaryWhenReplicaCloses = new CopyOnWriteArrayList<>();
  private final IndexReader reader = emptyReader();
  private NodeWorld world;
  private HostedCopy hosted;

  private static IndexReader emptyReader() {
    try {
      return new MultiReader();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
  }

  @AfterEach
  void close() throws Exception {
    mayStart.countDown();
    hosted.want(new Goal.Nothing(false));
    hosted.awaitEnd(LONG);
    world.close();
  }

  private void host(boolean reported) {
    NodeContext node = world.node("n1", world.leader);
    hosted =
        new HostedCopy(
            node,
            NodeWorld.SHARD,
            new Goal.Copy("copy-1", false, 0, false, reported),
            (_, primary, _) -> primary ? primary() : replica(),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM),
            new Suspicions(),
            new IgnoringWatcher(),
            new Setbacks(node.clock()));
    hosted.start();
    await().atMost(LONG).until(() -> looked.get() > 0);
  }

  private void promote() {
    hosted.want(new Goal.Copy("copy-1", true, 2, false, false));
    await().atMost(LONG).until(() -> hosted.copy().filter(ShardCopy::primary).isPresent());
  }

  private static ShardCopy copy(InvocationHandler methods) {
    return (ShardCopy)
        Proxy.newProxyInstance(
            TakeOverTest.class.getClassLoader(), new Class<?>[] {ShardCopy.class}, methods);
  }

  private ShardCopy replica() {
    return copy((_, method, _) ->
        switch (method.getName()) {
          case "state" -> {
            looked.incrementAndGet();
            yield ShardCopy.State.STARTED;
          }
          case "primary", "strong", "showNewest" -> false;
          case "serves" -> true;
          case "copyId" -> "copy-1";
          case "damage" -> Optional.empty();
          case "searched" -> Optional.of(new Shown());
          case "close" -> {
            primaryWhenReplicaCloses.add(hosted.copy().filter(ShardCopy::primary).isPresent());
            yield null;
          }
          default -> null;
        });
  }

  private ShardCopy primary() {
    return copy((_, method, arguments) ->
        switch (method.getName()) {
          case "state" -> ShardCopy.State.STARTED;
          case "primary" -> true;
          case "strong", "showNewest" -> false;
          case "damage" -> Optional.empty();
          case "takesOver" -> {
            views.add((HeldView) arguments[0]);
            yield null;
          }
          case "start" -> {
            mayStart.await();
            yield null;
          }
          default -> null;
        });
  }

  private final class Shown implements Searchable {
    @Override
    public SearchView acquireView() {
      reader.incRef();
      return new SearchView(new IndexSearcher(reader), 1, SHOWN);
    }

    @Override
    public SearchMeters searchMeters() {
      return new SearchMeters();
    }
  }

  @Test
  void aStartedReplicaIsClosedBehindThePrimaryWhichGetsItsView() {
    host(true);

    promote();

    await().atMost(LONG).until(() -> !primaryWhenReplicaCloses.isEmpty());
    assertThat(primaryWhenReplicaCloses).containsExactly(true);
    assertThat(views).hasSize(1);
    assertThat(views.getFirst().visibleSeqNo()).isEqualTo(SHOWN);
    assertThat(reader.getRefCount()).isEqualTo(2);
    views.getFirst().close();
    assertThat(reader.getRefCount()).isEqualTo(1);
  }

  @Test
  void aReplicaThatTheClusterDoesNotCallStartedHandsOnNoView() {
    host(false);

    promote();

    assertThat(primaryWhenReplicaCloses).containsExactly(false);
    assertThat(views).isEmpty();
    assertThat(reader.getRefCount()).isEqualTo(1);
  }
}
