package io.varve.host.http;

import io.varve.engine.SuspectFolder;
import io.varve.host.ShardCopy;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalResponse;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/** Reports a copy that has read a damaged file, and answers 503, so that another copy is asked. */
final class DamageFilter implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private static final Logger LOG = LoggerFactory.getLogger(DamageFilter.class);

  private final BiConsumer<ShardCopy, String> damaged;

  DamageFilter(BiConsumer<ShardCopy, String> damaged) {
    this.damaged = damaged;
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    return guarded(CopyFilter.copy(InternalCall.of(request)), damaged, () -> next.handle(request));
  }

  /**
   * @param damaged called with a copy that has read a damaged file, and the damage
   */
  static <T> T guarded(ShardCopy copy, BiConsumer<ShardCopy, String> damaged, Callable<T> work)
      throws Exception {
    try {
      return work.call();
    } catch (IOException | RuntimeException e) {
      Optional<String> damage = SuspectFolder.damage(e);
      if (damage.isEmpty()) {
        throw e;
      }
      LOG.error("{} has read a damaged file", copy.shard(), e);
      damaged.accept(copy, damage.get());
      throw new ApiException(
          503,
          "no_shard_available_action_exception",
          "this copy of " + copy.shard() + " is damaged: " + damage.get());
    }
  }
}
