package io.varve.engine;

import io.varve.rpc.ApiException;
import io.varve.text.ByteValues;
import java.io.IOException;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;

/**
 * Applies the settings {@code index.merge.policy.*} to Lucene's tiered merge policy, including
 * changes while the writer is open. A setting that is absent or can't be parsed has Lucene's
 * default; indices of earlier versions may have malformed values.
 *
 * <p>INVARIANT: {@code max_merge_at_once} that is set is at most {@code segments_per_tier}, as in
 * OpenSearch; otherwise merges would cascade.
 */
final class TieredMerges {

  private static final double MEGABYTE = 1L << 20;

  private final TieredMergePolicy policy = new SmallAreCompound();
  private Map<String, String> known = Map.of();

  /**
   * Small segments always have a compound file. Lucene's policy gives one to segments of less than
   * a tenth of the index, so each merge in a small shard would leave some twenty files.
   */
  private static final class SmallAreCompound extends TieredMergePolicy {

    @Override
    public boolean useCompoundFile(
        SegmentInfos infos, SegmentCommitInfo merged, MergeContext context) throws IOException {
      return size(merged, context) <= FlushDirectory.SMALL_MERGE_BYTES
          || super.useCompoundFile(infos, merged, context);
    }
  }

  TieredMerges(Map<String, String> settings) {
    follow(settings);
  }

  MergePolicy policy() {
    return policy;
  }

  /**
   * Applies changed settings, which take effect when merges are selected the next time; returns at
   * once if none has changed.
   */
  synchronized void follow(Map<String, String> settings) {
    if (settings.equals(known)) {
      return;
    }
    known = settings;
    TieredMergePolicy defaults = new TieredMergePolicy();
    set(
        "index.merge.policy.floor_segment",
        TieredMerges::megabytes,
        defaults.getFloorSegmentMB(),
        policy::setFloorSegmentMB);
    set(
        "index.merge.policy.max_merged_segment",
        TieredMerges::megabytes,
        defaults.getMaxMergedSegmentMB(),
        policy::setMaxMergedSegmentMB);
    set(
        "index.merge.policy.segments_per_tier",
        Double::parseDouble,
        defaults.getSegmentsPerTier(),
        policy::setSegmentsPerTier);
    set(
        "index.merge.policy.deletes_pct_allowed",
        Double::parseDouble,
        defaults.getDeletesPctAllowed(),
        policy::setDeletesPctAllowed);
    set(
        "index.merge.policy.expunge_deletes_allowed",
        Double::parseDouble,
        defaults.getForceMergeDeletesPctAllowed(),
        policy::setForceMergeDeletesPctAllowed);
    set(
        "index.merge.policy.max_merge_at_once",
        text -> Math.max(2, Math.min(Integer.parseInt(text), (int) policy.getSegmentsPerTier())),
        defaults.getMaxMergeAtOnce(),
        most -> policy.setMaxMergeAtOnce((int) most));
  }

  private void set(String name, ToDoubleFunction<String> parser, double byDefault, Knob knob) {
    String text = known.get(name);
    if (text != null) {
      try {
        knob.set(parser.applyAsDouble(text));
        return;
      } catch (IllegalArgumentException | ApiException e) {
        // Falls back to the default.
      }
    }
    knob.set(byDefault);
  }

  @FunctionalInterface
  private interface Knob {
    /** Throws {@link IllegalArgumentException} if Lucene refuses the value. */
    void set(double value);
  }

  private static double megabytes(String text) {
    return ByteValues.parseBytes("a size", text) / MEGABYTE;
  }
}
