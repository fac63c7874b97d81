package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.concurrent.atomic.LongAdder;

/**
 * Brings one file into a folder: by ranges, into a temporary file, checked while it comes, moved in
 * place when it is whole and right. A break is resumed from where it happened as long as each
 * attempt brings bytes; what is left of the file at the end is taken up by the next fetch of it.
 * Bytes that turn out wrong are deleted. No method throws for what a source or a disk does: the
 * outcome says it.
 */
public final class FileFetcher {

  /**
   * How files are fetched.
   *
   * @param chunkBytes the largest range asked for at once
   * @param parallelFiles files of one round under way at the same time
   * @param hardLinks whether a file that stands in another copy's folder on the same disk gets a
   *     second name instead
   */
  public record Settings(int chunkBytes, int parallelFiles, boolean hardLinks) {

    public static final Settings DEFAULT = new Settings(8 << 20, 3);

    /** Each copy has bytes of its own. */
    public Settings(int chunkBytes, int parallelFiles) {
      this(chunkBytes, parallelFiles, false);
    }

    public Settings {
      if (chunkBytes < 1 || chunkBytes > 1 << 28) {
        throw new IllegalArgumentException(
            "chunk bytes must be 1 to " + (1 << 28) + ", was " + chunkBytes);
      }
      if (parallelFiles < 1 || parallelFiles > 64) {
        throw new IllegalArgumentException("parallel files must be 1 to 64, was " + parallelFiles);
      }
    }
  }

  /** What became of a fetch. */
  public sealed interface Outcome {

    SegmentFile file();

    /** The file stands under its name. */
    record Arrived(SegmentFile file) implements Outcome {}

    /** The owner wanted it no more. */
    record Cancelled(SegmentFile file) implements Outcome {}

    /** The source doesn't have it any more. */
    record Gone(SegmentFile file, String reason) implements Outcome {}

    /** The source could not be reached, or broke off twice in the same place. */
    record Broken(SegmentFile file, long atByte, String reason) implements Outcome {}

    /** The bytes were others than expected; they are deleted. */
    record Corrupt(SegmentFile file, long atByte, String reason) implements Outcome {}

    /** This node's own disk failed. */
    record Unwritable(SegmentFile file, String reason) implements Outcome {}
  }

  /** Watches a fetch; called from the thread that fetches, often. */
  public interface Watch {

    /** So much of the file is here. */
    void present(SegmentFile file, long bytes);

    /** Whether to stop now. */
    boolean cancelled();
  }

  private final CopyFolder folder;
  private final Settings settings;
  private final TransferBudget budget;
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  public FileFetcher(CopyFolder folder, Settings settings, TransferBudget budget) {
    this.folder = folder;
    this.settings = settings;
    this.budget = budget;
  }

  public Settings settings() {
    return settings;
  }

  /** Files brought whole so far. */
  public long filesFetched() {
    return files.sum();
  }

  /** Bytes received so far, whatever became of them. */
  public long bytesFetched() {
    return bytes.sum();
  }

  public Outcome fetch(CopyPlan.Fetch fetch, SegmentSource source, TransferLane lane, Watch watch)
      throws InterruptedException {
    budget.began(lane);
    try {
      return fetchCounted(fetch, source, lane, watch);
    } finally {
      budget.ended(lane);
    }
  }

  private Outcome fetchCounted(
      CopyPlan.Fetch fetch, SegmentSource source, TransferLane lane, Watch watch)
      throws InterruptedException {
    SegmentFile file = fetch.file();
    try {
      Outcome outcome;
      try (FileTransfer transfer =
          FileTransfer.open(file, folder.temporary(file), fetch.presentBytes())) {
        outcome = new Fetching(transfer, source, lane, watch, file).run();
        if (outcome instanceof Outcome.Arrived) {
          transfer.verify();
        }
      }
      if (outcome instanceof Outcome.Arrived) {
        folder.moveInPlace(file);
        files.increment();
      }
      return outcome;
    } catch (FileTransfer.CorruptException e) {
      return corrupt(file, e);
    } catch (IOException e) {
      return new Outcome.Unwritable(file, String.valueOf(e));
    }
  }

  private Outcome corrupt(SegmentFile file, FileTransfer.CorruptException e) {
    try {
      Files.deleteIfExists(folder.temporary(file));
    } catch (IOException notDeleted) {
      return new Outcome.Unwritable(file, String.valueOf(notDeleted));
    }
    return new Outcome.Corrupt(file, e.atByte(), String.valueOf(e.getMessage()));
  }

  /** The chunks of one file. */
  private final class Fetching {
    private final FileTransfer transfer;
    private final SegmentSource source;
    private final TransferLane lane;
    private final Watch watch;
    private final SegmentFile file;

    Fetching(
        FileTransfer transfer,
        SegmentSource source,
        TransferLane lane,
        Watch watch,
        SegmentFile file) {
      this.transfer = transfer;
      this.source = source;
      this.lane = lane;
      this.watch = watch;
      this.file = file;
    }

    /** Arrived here means only that the last byte is here. */
    Outcome run() throws IOException, InterruptedException {
      boolean brokeBefore = false;
      while (transfer.missingBytes() > 0 && !watch.cancelled()) {
        long from = transfer.position();
        long length = Math.min(settings.chunkBytes(), transfer.missingBytes());
        budget.await(lane, length);
        String broken;
        try {
          broken = chunk(length);
        } catch (SourceGoneException e) {
          return new Outcome.Gone(file, String.valueOf(e.getMessage()));
        }
        boolean stuck = !broken.isEmpty() && transfer.position() == from;
        if (stuck && brokeBefore && !watch.cancelled()) {
          return new Outcome.Broken(file, from, broken);
        }
        brokeBefore = !broken.isEmpty();
      }
      return transfer.missingBytes() > 0 ? new Outcome.Cancelled(file) : new Outcome.Arrived(file);
    }

    /** Returns why the chunk broke off, empty when it came whole. */
    private String chunk(long length) throws IOException {
      long from = transfer.position();
      try (InputStream in = source.open(file, from, length)) {
        long taken = transfer.takeFrom(in, length, this::goOn);
        return taken == length ? "" : "ended after " + taken + " of " + length + " bytes";
      } catch (SourceGoneException | FileTransfer.CorruptException | FileTransfer.DiskException e) {
        throw e;
      } catch (IOException e) {
        return String.valueOf(e);
      } finally {
        bytes.add(transfer.position() - from);
      }
    }

    private boolean goOn() {
      watch.present(file, transfer.position());
      return !watch.cancelled();
    }
  }
}
