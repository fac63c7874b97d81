package io.varve.codec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.jspecify.annotations.Nullable;

/**
 * A merge policy with which a forced merge also rewrites segments that need not be merged but are
 * not encoded as the index settings require.
 *
 * <p>During a {@link Turn} a forced merge only rewrites one of those segments, the smallest that is
 * in no other merge. INVARIANT: there is one turn at a time and no concurrent forced merge; the
 * caller that begins turns ensures this.
 */
public final class ReencodingMergePolicy extends FilterMergePolicy {

  private final Supplier<StoredEncoding> wanted;
  private volatile @Nullable Turn turn;

  public ReencodingMergePolicy(MergePolicy merges, Supplier<StoredEncoding> wanted) {
    super(merges);
    this.wanted = wanted;
  }

  /** The rewrite of one segment. */
  public final class Turn implements AutoCloseable {

    private volatile @Nullable String segment;
    private volatile long bytes;
    private volatile int left;

    private Turn() {}

    /** Whether a segment to rewrite existed that was in no other merge. */
    public boolean found() {
      return segment != null;
    }

    /** The size of the segment before the rewrite. */
    public long bytes() {
      return bytes;
    }

    /** The number of other segments that need a rewrite. */
    public int left() {
      return left;
    }

    /** Whether a merge, which may be wrapped, is the one of this turn. */
    public boolean isFor(OneMerge merge) {
      return merge.segments.size() == 1 && merge.segments.getFirst().info.name.equals(segment);
    }

    private @Nullable MergeSpecification take(List<SegmentCommitInfo> others, MergeContext context)
        throws IOException {
      // Lucene calls this again after the merge.
      if (segment != null) {
        return null;
      }
      left = others.size();
      SegmentCommitInfo smallest = null;
      for (SegmentCommitInfo info : others) {
        if (!context.getMergingSegments().contains(info)
            && (smallest == null || info.sizeInBytes() < smallest.sizeInBytes())) {
          smallest = info;
        }
      }
      if (smallest == null) {
        return null;
      }
      segment = smallest.info.name;
      bytes = smallest.sizeInBytes();
      left = others.size() - 1;
      return specification(List.of(smallest));
    }

    @Override
    public void close() {
      turn = null;
    }
  }

  public Turn begin() {
    Turn begun = new Turn();
    turn = begun;
    return begun;
  }

  @Override
  public @Nullable MergeSpecification findForcedMerges(
      SegmentInfos infos,
      int mostSegments,
      Map<SegmentCommitInfo, Boolean> candidates,
      MergeContext context)
      throws IOException {
    Turn now = turn;
    if (now != null) {
      return now.take(others(infos, candidates), context);
    }
    MergeSpecification merges = super.findForcedMerges(infos, mostSegments, candidates, context);
    if (merges != null && !merges.merges.isEmpty()) {
      return merges;
    }
    List<SegmentCommitInfo> others = others(infos, candidates);
    others.removeAll(context.getMergingSegments());
    return others.isEmpty() ? null : specification(others);
  }

  private List<SegmentCommitInfo> others(
      SegmentInfos infos, Map<SegmentCommitInfo, Boolean> candidates) {
    List<SegmentCommitInfo> others = new ArrayList<>();
    for (SegmentCommitInfo info : infos) {
      if (candidates.containsKey(info) && !SegmentCodecs.encoding(info.info).isLike(wanted.get())) {
        others.add(info);
      }
    }
    return others;
  }

  private static MergeSpecification specification(List<SegmentCommitInfo> segments) {
    MergeSpecification merges = new MergeSpecification();
    segments.forEach(info -> merges.add(new OneMerge(List.of(info))));
    return merges;
  }
}
