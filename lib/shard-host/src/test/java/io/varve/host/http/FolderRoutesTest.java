package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.FolderPosition;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that closes has applied more than its folder holds until it is closed. */
class FolderRoutesTest {

  private static final ShardId SHARD = NodeWorld.SHARD;

  @TempDir Path folder;
  private NodeWorld world;
  private Optional<ShardCopy> open = Optional.empty();
  private boolean closing;

  /** Done while the copy is asked where it ends. */
  private Runnable meanwhile = () -> {};

  private FolderRoutes routes;

  @BeforeEach
  void start() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    routes = new FolderRoutes(world.node("n1"), new Copies());
  }

  @AfterEach
  void stop() throws Exception {
    world.close();
  }

  private final class Copies implements HostedCopies {

    @Override
    public Optional<ShardCopy> copy(ShardId shard) {
      return open;
    }

    @Override
    public boolean isClosing(ShardId shard) {
      return closing;
    }

    @Override
    public Optional<ShardCopy> await(ShardId shard, long waitMillis) {
      return open;
    }
  }

  /** Of a term before that of the log, so that it need not read the end of the log. */
  private ShardCopy failedAfter(long seqNo) {
    OffsetWatcher readable = new OffsetWatcher(seqNo);
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "state" -> ShardCopy.State.FAILED;
                  case "term" -> -1L;
                  case "readable" -> {
                    meanwhile.run();
                    yield readable;
                  }
                  case "equals" -> arguments[0] instanceof ShardCopy;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void assertUnavailable() {
    assertThatThrownBy(() -> routes.position(SHARD))
        .asInstanceOf(InstanceOfAssertFactories.type(ApiException.class))
        .extracting(failure -> failure.error().status())
        .isEqualTo(503);
  }

  @Test
  void anEmptyFolderHoldsNothing() throws Exception {
    assertThat(routes.position(SHARD).held()).isFalse();
  }

  @Test
  void anOpenCopyHoldsWhatItHasApplied() throws Exception {
    open = Optional.of(failedAfter(6));

    assertThat(routes.position(SHARD)).isEqualTo(new FolderPosition(true, 7, -1, true, null));
  }

  @Test
  void theFolderIsNotReadBeforeTheCopyIsClosed() throws Exception {
    closing = true;
    assertUnavailable();

    closing = false;
    assertThat(routes.position(SHARD).held()).isFalse();
  }

  @Test
  void aCopyThatClosesWhileItIsAskedGivesNoAnswer() {
    open = Optional.of(failedAfter(6));
    meanwhile = () -> open = Optional.empty();

    assertUnavailable();
  }
}
