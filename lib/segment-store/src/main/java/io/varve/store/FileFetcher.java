package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.concurrent.atomic.LongAdder;

/**
 * Fetches one file into a folder: by ranges into a temporary file, which is verified as it arrives
 * and renamed when it is complete and correct. An interrupted transfer is resumed as long as each
 * attempt makes progress; a partial file that remains is resumed by the next fetch. Corrupt bytes
 * are deleted. Failures of the source or the disk are returned as an outcome, never thrown.
 */
public final class FileFetcher {

  /**
   * @param chunkBytes the largest range per request
   * @param parallelFiles concurrent fetches per round
   * @param hardLinks whether a file present in another copy's folder on the same disk is
   *     hard-linked instead
   */
  public record Settings(int chunkBytes, int parallelFiles, boolean hardLinks) {

    public static final Settings DEFAULT = new Settings(8 << 20, 3);

    /** Settings without hard links between copies. */
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

  /** Result of a fetch. */
  public sealed interface Outcome {

    SegmentFile file();

    /** The file is complete and was given to the {@link Naming}. */
    record Arrived(SegmentFile file) implements Outcome {}

    /** The owner cancelled the fetch. */
    record Cancelled(SegmentFile file) implements Outcome {}

    /** The source no longer has the file. */
    record Gone(SegmentFile file, String reason) implements Outcome {}

    /** The source was unreachable, or aborted the transfer twice at the same position. */
    record Broken(SegmentFile file, long atByte, String reason) implements Outcome {}

    /** The bytes did not match the file's identity and were deleted. */
    record Corrupt(SegmentFile file, long atByte, String reason) implements Outcome {}

    /** The local disk failed. */
    record Unwritable(SegmentFile file, String reason) implements Outcome {}
  }

  /** Observes a fetch; called often, on the fetching thread. */
  public interface Watch {

    /** Reports the bytes present of the file. */
    void present(SegmentFile file, long bytes);

    /** Whether to stop the fetch. */
    boolean cancelled();
  }

  /** The action for a complete and correct file under its temporary name. */
  @FunctionalInterface
  public interface Naming {
    void arrived(SegmentFile file) throws IOException;
  }

  private final CopyFolder folder;
  private final Settings settings;
  private final TransferBudget budget;
  private final Naming naming;
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Gives each file its name immediately. */
  public FileFetcher(CopyFolder folder, Settings settings, TransferBudget budget) {
    this(folder, settings, budget, folder::moveInPlace);
  }

  public FileFetcher(CopyFolder folder, Settings settings, TransferBudget budget, Naming naming) {
    this.folder = folder;
    this.settings = settings;
    this.budget = budget;
    this.naming = naming;
  }

  public Settings settings() {
    return settings;
  }

  /** Complete files fetched so far. */
  public long filesFetched() {
    return files.sum();
  }

  /** Bytes received so far, including those of failed fetches. */
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
        naming.arrived(file);
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

  /** Fetches one file chunk by chunk. */
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

    /** {@code Arrived} is not verified yet at this point: all bytes have been received. */
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

    /** Returns why the chunk ended early; empty if it was complete. */
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
