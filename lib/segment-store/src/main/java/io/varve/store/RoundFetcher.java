package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link CopyRound} from its plan until all files have arrived: several files at a time,
 * each on a virtual thread, smallest first. Each new manifest is evaluated once, by the first
 * thread that sees it; if it should take over, all fetches stop.
 */
public final class RoundFetcher {

  /** Result of fetching the files of a round. */
  public sealed interface Result {

    /** All files have arrived; the round is INSTALLING. */
    record Complete() implements Result {}

    /** A newer manifest should take over. */
    record Yield(Manifest newer) implements Result {}

    /** At least one file can't be fetched now. */
    record Failed(CopySchedule.Failure failure, String reason) implements Result {}

    /** The owner stopped the round. */
    record Stopped() implements Result {}
  }

  private final FileFetcher fetcher;
  private final Supplier<@Nullable Manifest> newest;
  private final LongConsumer missingBytes;
  private volatile boolean stopped;

  /**
   * @param newest the newest known manifest, polled often
   * @param missingBytes receives the round's missing bytes on each change
   */
  public RoundFetcher(
      FileFetcher fetcher, Supplier<@Nullable Manifest> newest, LongConsumer missingBytes) {
    this.fetcher = fetcher;
    this.newest = newest;
    this.missingBytes = missingBytes;
  }

  /** Stops the fetches permanently. */
  public void stop() {
    stopped = true;
  }

  public Result fetch(CopyRound round, SegmentSource source, TransferLane lane)
      throws InterruptedException {
    Crew crew = new Crew(round, source, lane);
    int size = Math.min(fetcher.settings().parallelFiles(), round.currentPlan().fetches().size());
    List<Thread> workers = new ArrayList<>();
    for (int i = 1; i < size; i++) {
      workers.add(Thread.ofVirtual().name("segment-fetch-" + i).start(crew::work));
    }
    crew.work();
    joinAll(workers);
    return crew.result();
  }

  /** An interrupt also stops the other workers, but all are joined: they write into the folder. */
  private static void joinAll(List<Thread> workers) throws InterruptedException {
    boolean interrupted = Thread.interrupted();
    for (Thread worker : workers) {
      while (worker.isAlive()) {
        if (interrupted) {
          workers.forEach(Thread::interrupt);
        }
        try {
          worker.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      throw new InterruptedException();
    }
  }

  /** The workers of one round. All access to the round is under the lock. */
  private final class Crew implements FileFetcher.Watch {
    private final CopyRound round;
    private final SegmentSource source;
    private final TransferLane lane;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Manifest considered;
    private volatile @Nullable Result early;

    Crew(CopyRound round, SegmentSource source, TransferLane lane) {
      this.round = round;
      this.source = source;
      this.lane = lane;
      this.considered = round.target();
    }

    void work() {
      for (Optional<CopyPlan.Fetch> next = next(); next.isPresent(); next = next()) {
        try {
          settle(fetcher.fetch(next.get(), source, lane, this));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          end(new Result.Stopped());
        } catch (RuntimeException e) {
          end(new Result.Failed(CopySchedule.Failure.COPY_BROKEN, e.toString()));
        }
      }
    }

    private Optional<CopyPlan.Fetch> next() {
      if (cancelled()) {
        return Optional.empty();
      }
      lock.lock();
      try {
        return round.takeNext();
      } finally {
        lock.unlock();
      }
    }

    private void settle(FileFetcher.Outcome outcome) {
      switch (outcome) {
        case FileFetcher.Outcome.Arrived(SegmentFile file) -> {
          lock.lock();
          try {
            round.arrived(file);
            missingBytes.accept(round.missingBytes());
          } finally {
            lock.unlock();
          }
        }
        // The reason was recorded when the fetch was cancelled.
        case FileFetcher.Outcome.Cancelled ignored -> {}
        case FileFetcher.Outcome.Gone(SegmentFile file, String reason) ->
            end(new Result.Failed(CopySchedule.Failure.SOURCE_GONE, file.name() + ": " + reason));
        case FileFetcher.Outcome.Broken(SegmentFile file, long atByte, String reason) ->
            end(failed(CopySchedule.Failure.SOURCE_UNREACHABLE, file, atByte, reason));
        case FileFetcher.Outcome.Corrupt(SegmentFile file, long atByte, String reason) ->
            end(failed(CopySchedule.Failure.COPY_BROKEN, file, atByte, reason));
        case FileFetcher.Outcome.Unwritable(SegmentFile file, String reason) ->
            end(new Result.Failed(ofOwnDisk(reason), file.name() + ": " + reason));
      }
    }

    private static CopySchedule.Failure ofOwnDisk(String reason) {
      return FullDisk.isSaidIn(reason)
          ? CopySchedule.Failure.DISK_FULL
          : CopySchedule.Failure.COPY_BROKEN;
    }

    private Result failed(
        CopySchedule.Failure failure, SegmentFile file, long atByte, String reason) {
      return new Result.Failed(failure, file.name() + " at byte " + atByte + ": " + reason);
    }

    private void end(Result result) {
      lock.lock();
      try {
        if (early == null) {
          early = result;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void present(SegmentFile file, long bytes) {
      lock.lock();
      try {
        round.progressed(file, bytes);
        missingBytes.accept(round.missingBytes());
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean cancelled() {
      if (stopped || early != null) {
        return true;
      }
      Manifest latest = newest.get();
      return latest != null && latest.isNewerThan(considered) && shouldYieldTo(latest);
    }

    private boolean shouldYieldTo(Manifest latest) {
      lock.lock();
      try {
        considered = latest;
        if (early == null && round.shouldYieldTo(latest)) {
          early = new Result.Yield(latest);
        }
        return early != null;
      } finally {
        lock.unlock();
      }
    }

    Result result() {
      lock.lock();
      try {
        if (early != null) {
          return early;
        }
        return round.state() == CopyRound.State.INSTALLING
            ? new Result.Complete()
            : new Result.Stopped();
      } finally {
        lock.unlock();
      }
    }
  }
}
