package io.varve.shard.replicated;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The check before the writes of a strongly consistent index. A write whose document's present
 * version is in state 2 or 3 first waits until that is replicated, because the result of the write
 * reveals it.
 */
public final class ConfirmedBases {

  private final Confirmer confirmer;

  public ConfirmedBases(Confirmer confirmer) {
    this.confirmer = confirmer;
  }

  /**
   * Waits until the documents of these writes are not in state 2 or 3; one query asks for all of
   * them.
   *
   * @return the errors of writes that must not be executed, by position
   */
  public Map<Integer, ErrorBody> await(List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    if (!confirmer.records().hasUnreplicated()) {
      return Map.of();
    }
    Request request = new Request(items);
    var _ = request.begin();
    return request.rounds.await(timeout);
  }

  /** The present versions of the documents of one write request. */
  public final class Request {

    private final List<WriteItem> items;
    private final ConfirmationRounds rounds;

    public Request(List<WriteItem> items) {
      this.items = items;
      this.rounds = new ConfirmationRounds(confirmer, this::take);
    }

    private @Nullable Version take(int item) {
      return items.get(item).autoId() ? null : unreplicated(items.get(item).id());
    }

    /** Completes with the errors of writes that must not be executed; never blocks. */
    public CompletableFuture<Map<Integer, ErrorBody>> begin() {
      return rounds.begin(items.size());
    }

    /** Fails the writes whose documents are not confirmed yet. */
    public void outOfTime() {
      rounds.outOfTime();
    }
  }

  /** The present version of a document if it is in state 2 or 3. */
  private @Nullable Version unreplicated(String id) {
    Version version = confirmer.present(id);
    return switch (confirmer.records().state(version)) {
      case REPLICATED, REPLICATING -> null;
      case RE_REPLICATING, UNREPLICATED -> version;
    };
  }
}
