package io.varve.coordinator.follow;

import io.varve.process.Deadline;
import io.varve.process.FatalErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tails of the followed clusters. Each is opened and closed on its own thread, so a cluster
 * that does not answer does not delay the others.
 *
 * <pre>
 *   none     -> opening   the cluster is wanted, and its pause is over
 *   opening  -> open      its cluster log is subscribed to
 *   opening  -> none      it failed, which begins a pause, or the cluster is no longer wanted
 *   open     -> none      it is lost, which begins a pause, or the cluster is no longer wanted, or
 *                         has other settings
 * </pre>
 *
 * Used by one thread.
 */
final class RemoteTails {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteTails.class);

  /** A tail that is open. */
  record Open(FollowedCluster cluster, LeaderTail tail) {}

  private record Opening(
      FollowedCluster cluster, CompletableFuture<LeaderTail> result, Thread thread) {

    /** Null until it is open. */
    @Nullable LeaderTail tail() {
      return result.isDone() && !result.isCompletedExceptionally() ? result.join() : null;
    }

    boolean failed() {
      return result.isCompletedExceptionally();
    }

    boolean lost() {
      LeaderTail tail = tail();
      return tail != null && tail.isLost();
    }
  }

  private final LeaderTail.Opener opener;
  private final Supplier<Deadline> pauses;
  private final Consumer<String> onFailure;
  private final Runnable onChange;
  private final Map<String, Opening> tails = new HashMap<>();

  /** By alias: the pauses of clusters whose tails failed. */
  private final Map<String, Deadline> pausing = new HashMap<>();

  /**
   * @param pauses begins the pause before another attempt
   * @param onFailure called by the using thread with the alias of a cluster that can't be read
   * @param onChange called when a tail is open, has failed or has another state; does not block
   */
  RemoteTails(
      LeaderTail.Opener opener,
      Supplier<Deadline> pauses,
      Consumer<String> onFailure,
      Runnable onChange) {
    this.opener = opener;
    this.pauses = pauses;
    this.onFailure = onFailure;
    this.onChange = onChange;
  }

  /**
   * Opens the wanted tails and closes the others, without waiting for either; by alias. Returns
   * whether none of them waits for the end of a pause.
   */
  boolean bringTo(Map<String, FollowedCluster> wanted) {
    tails.values().removeIf(one -> ends(one, wanted.get(one.cluster().alias())));
    pausing.keySet().retainAll(wanted.keySet());
    boolean done = true;
    for (FollowedCluster goal : wanted.values()) {
      Deadline pause = pausing.get(goal.alias());
      if (pause != null && !pause.isOver()) {
        done = false;
      } else if (!tails.containsKey(goal.alias())) {
        tails.put(goal.alias(), open(goal));
      }
    }
    return done;
  }

  private boolean ends(Opening one, @Nullable FollowedCluster goal) {
    String alias = one.cluster().alias();
    if (one.failed() || one.lost()) {
      pausing.put(alias, pauses.get());
    }
    if (one.failed()) {
      onFailure.accept(alias);
      return true;
    }
    boolean stays = goal != null && goal.isReachedLike(one.cluster()) && !one.lost();
    if (!stays) {
      var _ = end(one);
    }
    return !stays;
  }

  private Opening open(FollowedCluster goal) {
    CompletableFuture<LeaderTail> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("leader-tail-open-" + goal.alias())
            .start(() -> {
              try {
                result.complete(opener.open(goal, onChange));
              } catch (InterruptedException e) {
                LOG.debug("[{}] is no longer followed", goal.alias(), e);
                result.completeExceptionally(e);
              } catch (Exception e) {
                LOG.warn(
                    "cannot read the metadata of [{}], retrying: {}", goal.alias(), e.toString());
                result.completeExceptionally(e);
              } catch (Error e) {
                result.completeExceptionally(e);
                FatalErrors.endOn(e);
                LOG.error("cannot read the metadata of [{}], retrying", goal.alias(), e);
              }
              onChange.run();
            });
    return new Opening(goal, result, thread);
  }

  /** Closes the tail now, or as soon as it is open; returns the thread that does. */
  private static Thread end(Opening one) {
    return Thread.ofVirtual()
        .name("leader-tail-close-" + one.cluster().alias())
        .start(() -> {
          if (!one.result().isDone()) {
            one.thread().interrupt();
          }
          one.result()
              .handle((tail, failure) -> {
                if (tail != null) {
                  tail.close();
                }
                return failure;
              })
              .join();
        });
  }

  /** By alias: why this release can't read the logs of clusters whose tails are lost now. */
  Map<String, String> unreadable() {
    Map<String, String> reasons = new HashMap<>();
    for (Opening one : tails.values()) {
      LeaderTail tail = one.tail();
      if (tail != null && tail.isLost()) {
        tail.unreadable().ifPresent(reason -> reasons.put(one.cluster().alias(), reason));
      }
    }
    return reasons;
  }

  List<Open> open() {
    List<Open> open = new ArrayList<>();
    for (Opening one : tails.values()) {
      LeaderTail tail = one.tail();
      if (tail != null && !tail.isLost()) {
        open.add(new Open(one.cluster(), tail));
      }
    }
    return open;
  }

  /** Ends all tails; returns the threads that do. */
  List<Thread> close() {
    List<Thread> ending = tails.values().stream().map(RemoteTails::end).toList();
    tails.clear();
    return ending;
  }
}
