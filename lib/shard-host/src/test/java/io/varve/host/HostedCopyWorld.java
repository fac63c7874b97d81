package io.varve.host;

import static org.awaitility.Awaitility.await;

import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A place whose copy has the state that the test sets, and a leader that counts the calls that it
 * receives.
 */
abstract class HostedCopyWorld {

  static final Goal WANTED = new Goal.Copy("copy-1", false, 0, false, false);
  static final Goal REPORTED = new Goal.Copy("copy-1", false, 0, false, true);

  static final Goal ANEW = new Goal.Copy("copy-2", false, 0, false, true);
  static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  Path segments;
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger looked = new AtomicInteger();
  final AtomicInteger asked = new AtomicInteger();
  volatile boolean showsNewest = true;

  /** Holds each copy that is asked whether it shows the newest state. */
  volatile CountDownLatch mayShow = new CountDownLatch(0);

  /** Whether the place said so while the copy was closed last. */
  volatile boolean closing;

  final Leader leader = new Leader();
  volatile ShardCopy.State state = ShardCopy.State.STARTED;
  volatile Optional<String> damage = Optional.empty();
  volatile @Nullable Exception refusal;
  NodeWorld world;
  HostedCopy hosted;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    NodeContext node = world.node("n1", leader);
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);
    segments = Files.createDirectories(Folders.segments(home));
    hosted =
        new HostedCopy(
            node,
            NodeWorld.SHARD,
            WANTED,
            (_, _, _) -> copy(),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM),
            new Suspicions(),
            new IgnoringWatcher(),
            new Setbacks(node.clock()));
  }

  @AfterEach
  void close() throws Exception {
    mayShow.countDown();
    hosted.want(new Goal.Nothing(false));
    hosted.awaitEnd(LONG);
    world.close();
  }

  private ShardCopy copy() {
    opened.incrementAndGet();
    state = ShardCopy.State.STARTED;
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "state" -> {
                    looked.incrementAndGet();
                    yield state;
                  }
                  case "primary", "strong" -> false;
                  case "close" -> {
                    closing = hosted.isClosing() && hosted.copy().isEmpty();
                    yield null;
                  }
                  case "damage" -> damage;
                  case "fork" -> Optional.empty();
                  case "showNewest" -> {
                    asked.incrementAndGet();
                    mayShow.await();
                    yield showsNewest;
                  }
                  case "start" -> {
                    Exception refused = refusal;
                    if (refused != null) {
                      throw refused;
                    }
                    yield null;
                  }
                  default -> null;
                });
  }

  static final class Leader extends UnexpectedCalls {

    final AtomicInteger started = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger terms = new AtomicInteger();

    @Override
    public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      return terms.incrementAndGet();
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      started.incrementAndGet();
      throw new ApiException(503, "cluster_manager_not_discovered_exception", "on purpose");
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      return failed.incrementAndGet();
    }
  }

  final ShardCopy awaitOpened(int times) {
    await().atMost(LONG).until(() -> opened.get() == times && hosted.copy().isPresent());
    return hosted.copy().orElseThrow();
  }
}
