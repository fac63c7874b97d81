package io.varve.testkit.selection;

import io.varve.selection.ExecutorReport;
import io.varve.selection.SearchLoad;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A node with a fixed number of workers and one queue, measured by the real {@link SearchLoad}. */
final class SimulatedNode {

  private static final int QUEUE_LIMIT = 1000;

  /** The response of a node to a request. */
  sealed interface Reply {
    record Answered(long tookNanos, ExecutorReport report) implements Reply {}

    record Failed() implements Reply {}

    record Rejected() implements Reply {}

    record Unreachable() implements Reply {}
  }

  /** A request on this node, which its sender can cancel. */
  static final class Work {
    private final SearchLoad.Task task;
    private final Consumer<Reply> answer;
    private boolean running;
    private boolean over;

    private Work(SearchLoad.Task task, Consumer<Reply> answer) {
      this.task = task;
      this.answer = answer;
    }
  }

  private final SimulatedRun world;
  private final String id;
  private final Condition condition;
  private final RandomGenerator service;
  private final Deque<Work> queue = new ArrayDeque<>();
  private SearchLoad load;
  private int running;
  private boolean wasAbsent;
  private long executed;

  SimulatedNode(SimulatedRun world, int index, Condition condition) {
    this.world = world;
    this.id = "n" + index;
    this.condition = condition;
    this.service = world.chance().stream("service " + index);
    this.load = new SearchLoad(world.setup().size().workers(), world::nowNanos);
  }

  String id() {
    return id;
  }

  long executed() {
    return executed;
  }

  int inFlight() {
    return running + queue.size();
  }

  /**
   * A request arrives.
   *
   * @param accepted gets the handle by which the request can be cancelled
   */
  void arrive(long expectedNanos, Consumer<Reply> answer, Consumer<Work> accepted) {
    whenAwake(() -> {
      long now = world.nowMillis();
      if (condition.absent(now)) {
        wasAbsent = true;
        answer.accept(new Reply.Unreachable());
      } else if (condition.failing(now)) {
        world.events().after(1000, () -> answer.accept(new Reply.Failed()));
      } else if (queue.size() >= QUEUE_LIMIT) {
        answer.accept(new Reply.Rejected());
      } else {
        accept(expectedNanos, answer, accepted);
      }
    });
  }

  private void accept(long expectedNanos, Consumer<Reply> answer, Consumer<Work> accepted) {
    if (wasAbsent) {
      wasAbsent = false;
      load = new SearchLoad(world.setup().size().workers(), world::nowNanos);
    }
    Work work = new Work(load.submitted(expectedNanos), answer);
    queue.add(work);
    accepted.accept(work);
    startNext();
  }

  void probe(Consumer<Reply> answer) {
    whenAwake(() -> {
      if (condition.absent(world.nowMillis())) {
        answer.accept(new Reply.Unreachable());
      } else {
        answer.accept(new Reply.Answered(-1, load.report()));
      }
    });
  }

  void cancel(Work work) {
    whenAwake(() -> {
      if (!work.over) {
        work.over = true;
        work.task.cancelled();
        if (work.running) {
          running--;
        } else {
          queue.remove(work);
        }
        startNext();
      }
    });
  }

  private void startNext() {
    while (running < world.setup().size().workers() && !queue.isEmpty()) {
      Work work = queue.remove();
      running++;
      work.running = true;
      work.task.started();
      double millis = demand() * condition.slowness(world.nowMillis());
      long until = world.events().nowMicros() + Math.max(1, (long) (millis * 1000));
      world.events().at(until, () -> finish(work));
    }
  }

  private double demand() {
    double mean = world.setup().serviceMillis();
    double sigma = world.setup().logNormal();
    return sigma > 0
        ? RandomStreams.logNormal(service, mean, sigma)
        : RandomStreams.exponential(service, mean);
  }

  private void finish(Work work) {
    if (work.over) {
      return;
    }
    whenAwake(() -> {
      if (!work.over) {
        work.over = true;
        running--;
        executed++;
        long took = work.task.finished();
        work.answer.accept(new Reply.Answered(took, load.report()));
        startNext();
      }
    });
  }

  /** Runs now, or at the end of the pause. */
  private void whenAwake(Runnable action) {
    long until = condition.pausedUntilMillis(world.nowMillis());
    if (until > world.nowMillis()) {
      world.events().at(until * 1000, action);
    } else {
      action.run();
    }
  }
}
