package io.varve.engine.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.util.ArrayUtil;

/**
 * Finds the first hits in index order from a document on, which is the order of most scrolls. Hits
 * arrive in this order, so that no queue has to sort them, and the search of a segment ends with
 * the last hit of the page. Hits are not counted.
 */
final class FirstDocuments implements CollectorManager<FirstDocuments.Collecting, FieldDoc[]> {

  private final int from;
  private final int most;

  /**
   * @param from the first document that may be a hit
   * @param most the number of hits of the page, at least 1
   */
  FirstDocuments(int from, int most) {
    this.from = from;
    this.most = most;
  }

  @Override
  public Collecting newCollector() {
    return new Collecting();
  }

  @Override
  public FieldDoc[] reduce(Collection<Collecting> slices) {
    int[] documents =
        slices.stream().flatMapToInt(slice -> Arrays.stream(slice.found())).sorted().toArray();
    FieldDoc[] hits = new FieldDoc[Math.min(most, documents.length)];
    for (int i = 0; i < hits.length; i++) {
      hits[i] = new FieldDoc(documents[i], Float.NaN, new Object[] {documents[i]});
    }
    return hits;
  }

  /** The hits of one slice. */
  final class Collecting implements Collector {
    private final List<int[]> segments = new ArrayList<>();
    private int count;
    private int end;

    private int[] found() {
      int[] all = new int[count];
      int to = 0;
      for (int[] segment : segments) {
        System.arraycopy(segment, 0, all, to, segment.length);
        to += segment.length;
      }
      return all;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.TOP_DOCS;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) {
      int after = leaf.docBase + leaf.reader().maxDoc();
      // Segments of a slice may be searched in any order.
      if (after <= from || (count >= most && leaf.docBase >= end)) {
        throw new CollectionTerminatedException();
      }
      end = Math.max(end, after);
      return new OfSegment(this, leaf);
    }
  }

  private final class OfSegment implements LeafCollector {
    private final Collecting slice;
    private final int base;
    private final int first;
    private final int maxDoc;
    private int[] documents = new int[16];
    private int count;

    OfSegment(Collecting slice, LeafReaderContext leaf) {
      this.slice = slice;
      this.base = leaf.docBase;
      this.first = Math.max(0, from - leaf.docBase);
      this.maxDoc = leaf.reader().maxDoc();
    }

    @Override
    public void setScorer(Scorable scorer) {
      // No scores are needed.
    }

    @Override
    public DocIdSetIterator competitiveIterator() {
      return DocIdSetIterator.range(first, maxDoc);
    }

    @Override
    public void collect(int doc) {
      if (doc < first) {
        return;
      }
      if (count == documents.length) {
        documents = ArrayUtil.growInRange(documents, count + 1, Math.max(most, count + 1));
      }
      documents[count++] = base + doc;
      if (count >= most) {
        throw new CollectionTerminatedException();
      }
    }

    /** Called at the end of the segment, also of one whose search was terminated. */
    @Override
    public void finish() throws IOException {
      slice.segments.add(Arrays.copyOf(documents, count));
      slice.count += count;
    }
  }
}
