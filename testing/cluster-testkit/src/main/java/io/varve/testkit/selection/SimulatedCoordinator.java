package io.varve.testkit.selection;

import io.varve.selection.Attempt;
import io.varve.selection.Copy;
import io.varve.selection.CopyOrder;
import io.varve.selection.ExecutorReport;
import io.varve.selection.Failure;
import io.varve.selection.Probe;
import io.varve.selection.Purpose;
import io.varve.selection.ReplicaSelection;
import io.varve.selection.SearchSelection;
import io.varve.testkit.selection.SimulatedNode.Reply;
import io.varve.testkit.selection.SimulatedNode.Work;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A coordinator around the real {@link ReplicaSelection}: one response per shard, or none. */
final class SimulatedCoordinator {

  private static final long PROBE_MICROS = 20_000;

  private final SimulatedRun world;
  private final ReplicaSelection selection;
  private boolean ticking;

  SimulatedCoordinator(SimulatedRun world, int index) {
    this.world = world;
    this.selection =
        new ReplicaSelection(
            world.setup().settings(), world::nowNanos, world.chance().stream("selection " + index));
  }

  ReplicaSelection selection() {
    return selection;
  }

  void search(long id, Runnable done) {
    if (!ticking) {
      ticking = true;
      tick();
    }
    new Query(id, done).begin();
  }

  private void tick() {
    for (Probe probe : selection.probesDue()) {
      world.trace().probed(world.nowMillis());
      SimulatedNode node = world.node(probe.node());
      world.deliver(() -> node.probe(reply -> world.deliver(() -> probeAnswered(probe, reply))));
    }
    world.events().after(PROBE_MICROS, this::tick);
  }

  private static void probeAnswered(Probe probe, Reply reply) {
    if (reply instanceof Reply.Answered(long _, ExecutorReport report)) {
      probe.answered(report);
    } else {
      probe.failed();
    }
  }

  /** A search over all shards. */
  private final class Query {
    private final long startMicros = world.events().nowMicros();
    private final SearchSelection choices = selection.search("all");
    private final long id;
    private final Runnable done;
    private int open = world.setup().size().shards();
    private boolean failed;

    private Query(long id, Runnable done) {
      this.id = id;
      this.done = done;
    }

    private void begin() {
      for (int shard = 0; shard < world.setup().size().shards(); shard++) {
        new ShardQuery(this, shard).begin();
      }
    }

    private void shardDone(boolean answered) {
      failed |= !answered;
      if (--open == 0) {
        world.trace().finished(id, startMicros, world.events().nowMicros(), failed);
        done.run();
      }
    }
  }

  /** One shard of a search: the first response counts, the other requests are cancelled. */
  private final class ShardQuery {
    private final Query query;
    private final int shard;
    private final List<Sent> underWay = new ArrayList<>();
    private final List<String> untried = new ArrayList<>();
    private boolean over;

    private ShardQuery(Query query, int shard) {
      this.query = query;
      this.shard = shard;
    }

    private void begin() {
      List<Copy> copies = world.holders(shard).stream().map(Copy::on).toList();
      CopyOrder order = query.choices.order("s" + shard, copies);
      untried.addAll(order.nodes());
      String first = untried.removeFirst();
      send(first, Purpose.FIRST);
      order.shadow().ifPresent(node -> send(node, Purpose.SHADOW));
      query
          .choices
          .hedgeDelayNanos("s" + shard)
          .ifPresent(delay -> world.events().after(delay / 1000, () -> hedge(first)));
    }

    private void hedge(String first) {
      boolean waits =
          !over && underWay.stream().anyMatch(sent -> sent.attempt.node().equals(first));
      if (waits) {
        query
            .choices
            .hedge(first, untried)
            .ifPresent(node -> {
              untried.remove(node);
              send(node, Purpose.HEDGE);
            });
      }
    }

    private void send(String node, Purpose purpose) {
      world.trace().sent(world.nowMillis(), node, purpose);
      new Sent(this, query.choices.sent("s" + shard, node, purpose), purpose).send();
    }

    private void answered(Sent by) {
      if (over) {
        world.trace().duplicated(world.nowMillis());
        return;
      }
      over = true;
      underWay.stream().filter(sent -> sent != by).forEach(Sent::cancel);
      underWay.clear();
      query.shardDone(true);
    }

    private void failed(Sent sent) {
      underWay.remove(sent);
      if (over || sent.purpose == Purpose.SHADOW) {
        return;
      }
      if (sent.purpose == Purpose.FIRST) {
        world.trace().firstAttemptFailed(world.nowMillis());
      }
      if (!untried.isEmpty()) {
        send(untried.removeFirst(), Purpose.RETRY);
      } else if (underWay.isEmpty()) {
        over = true;
        query.shardDone(false);
      }
    }
  }

  /** A request to a node. */
  private final class Sent {
    private final ShardQuery shardQuery;
    private final Attempt attempt;
    private final Purpose purpose;
    private final SimulatedNode node;
    private @Nullable Work work;
    private boolean cancelled;

    private Sent(ShardQuery shardQuery, Attempt attempt, Purpose purpose) {
      this.shardQuery = shardQuery;
      this.attempt = attempt;
      this.purpose = purpose;
      this.node = world.node(attempt.node());
    }

    private void send() {
      shardQuery.underWay.add(this);
      world.deliver(() -> node.arrive(attempt.expectedNanos(), this::reply, this::accepted));
    }

    private void accepted(Work accepted) {
      work = accepted;
      if (cancelled) {
        node.cancel(accepted);
      }
    }

    private void reply(Reply reply) {
      world.deliver(() -> receive(reply));
    }

    private void receive(Reply reply) {
      switch (reply) {
        case Reply.Answered(long took, ExecutorReport report) -> {
          attempt.answered(took, report);
          shardQuery.answered(this);
        }
        case Reply.Failed() -> end(Failure.ERROR);
        case Reply.Rejected() -> end(Failure.REJECTED);
        case Reply.Unreachable() -> end(Failure.UNREACHABLE);
      }
    }

    private void end(Failure failure) {
      attempt.failed(failure);
      shardQuery.failed(this);
    }

    private void cancel() {
      if (purpose == Purpose.SHADOW) {
        return;
      }
      attempt.failed(Failure.LOST);
      world.deliver(() -> {
        cancelled = true;
        if (work != null) {
          node.cancel(work);
        }
      });
    }
  }
}
