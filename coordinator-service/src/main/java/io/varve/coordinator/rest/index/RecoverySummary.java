package io.varve.coordinator.rest.index;

import io.varve.rpc.CopyRecovery;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Sums and percentages derived from a copy's recovery. */
public record RecoverySummary(CopyRecovery recovery) {

  /** Counts of files or of their bytes: in total, reused from the local disk, and fetched. */
  public record Share(long total, long reused, long recovered) {

    /** The amount that had to be fetched. */
    public long wanted() {
      return total - reused;
    }

    public String percent() {
      return RecoverySummary.percent(total == 0 ? 0 : wanted() == 0 ? 1 : fraction());
    }

    private double fraction() {
      return (double) recovered / wanted();
    }
  }

  public Share files() {
    return share(file -> 1, file -> file.recoveredBytes() == file.lengthBytes() ? 1 : 0);
  }

  public Share bytes() {
    return share(CopyRecovery.File::lengthBytes, CopyRecovery.File::recoveredBytes);
  }

  private Share share(
      ToLongFunction<CopyRecovery.File> whole, ToLongFunction<CopyRecovery.File> recovered) {
    List<CopyRecovery.File> files = recovery.files();
    return new Share(
        files.stream().mapToLong(whole).sum(),
        files.stream().filter(CopyRecovery.File::reused).mapToLong(whole).sum(),
        files.stream().filter(file -> !file.reused()).mapToLong(recovered).sum());
  }

  public boolean done() {
    return recovery.stage().equals("DONE");
  }

  /** Returns the duration of the recovery, until now if it is in progress. */
  public long totalMillis(long nowMillis) {
    CopyRecovery.Times times = recovery.times();
    return Math.max(0, (done() ? times.stopMillis() : nowMillis) - times.startMillis());
  }

  /**
   * Returns the replayed share of the log's operations. Their number is known only as they are
   * read.
   */
  public String operationsPercent() {
    return percent(1);
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * fraction);
  }
}
