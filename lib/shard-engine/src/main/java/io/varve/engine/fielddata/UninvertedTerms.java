package io.varve.engine.fielddata;

import io.varve.engine.fields.DirectOrdinals;
import io.varve.engine.search.aggregation.MemoryAccount;
import io.varve.search.mapping.FrequencyFilter;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;

/**
 * The terms of a field by document, built from its postings in two passes:
 *
 * <pre>
 *   first   copies the terms in order and counts the terms of each document
 *   second  stores the ordinals of each document's terms, ascending in term order
 * </pre>
 */
public final class UninvertedTerms {

  private static final int BLOCK_BYTES = ByteBlockPool.BYTE_BLOCK_SIZE;

  private final ByteBlockPool bytes = new ByteBlockPool(new ByteBlockPool.DirectAllocator());
  private long[] termEnds = new long[16];
  private int termCount;
  // The start of each document's ordinals, which end where the next document's start.
  private final int[] starts;
  private int[] ordinals = {};

  private UninvertedTerms(int maxDoc) {
    this.starts = new int[maxDoc + 1];
  }

  /** Reads a field of a segment, without the terms that the filter excludes. */
  public static UninvertedTerms of(
      LeafReader reader, String field, FrequencyFilter filter, MemoryAccount account)
      throws IOException {
    int maxDoc = reader.maxDoc();
    account.charge(4L * (maxDoc + 1));
    UninvertedTerms made = new UninvertedTerms(maxDoc);
    Terms terms = reader.terms(field);
    if (terms != null) {
      FrequencyFilter.Bounds bounds = filter.bounds(terms.getDocCount());
      made.count(terms, bounds, account);
      account.charge(4L * made.starts[maxDoc]);
      made.ordinals = new int[made.starts[maxDoc]];
      made.fill(terms, bounds);
    }
    return made;
  }

  private void count(Terms terms, FrequencyFilter.Bounds bounds, MemoryAccount account)
      throws IOException {
    TermsEnum walk = terms.iterator();
    PostingsEnum postings = null;
    for (BytesRef term = walk.next(); term != null; term = walk.next()) {
      if (!bounds.accept(walk.docFreq())) {
        continue;
      }
      account.charge(term.length + 8L);
      bytes.append(term);
      termEnds = ArrayUtil.grow(termEnds, termCount + 1);
      termEnds[termCount++] = bytes.getPosition();
      postings = walk.postings(postings, PostingsEnum.NONE);
      for (int doc = postings.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        starts[doc + 1]++;
      }
    }
    termEnds = Arrays.copyOf(termEnds, termCount);
    for (int doc = 1; doc < starts.length; doc++) {
      starts[doc] = Math.addExact(starts[doc], starts[doc - 1]);
    }
  }

  private void fill(Terms terms, FrequencyFilter.Bounds bounds) throws IOException {
    int[] next = Arrays.copyOf(starts, starts.length - 1);
    TermsEnum walk = terms.iterator();
    PostingsEnum postings = null;
    int ordinal = 0;
    for (BytesRef term = walk.next(); term != null; term = walk.next()) {
      if (!bounds.accept(walk.docFreq())) {
        continue;
      }
      postings = walk.postings(postings, PostingsEnum.NONE);
      for (int doc = postings.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        ordinals[next[doc]++] = ordinal;
      }
      ordinal++;
    }
  }

  /** The terms as doc values. */
  public SortedSetDocValues values() {
    return new Values();
  }

  private void term(int ordinal, BytesRef into) {
    long start = ordinal == 0 ? 0 : termEnds[ordinal - 1];
    into.length = (int) (termEnds[ordinal] - start);
    into.offset = 0;
    into.bytes = ArrayUtil.growNoCopy(into.bytes, into.length);
    bytes.readBytes(start, into.bytes, 0, into.length);
  }

  private final class Values extends DirectOrdinals {
    private final BytesRef scratch = new BytesRef(BLOCK_BYTES / 1024);
    private int at;
    private int start;
    private int end;

    Values() {
      super(starts.length - 1);
    }

    @Override
    public long nextOrd() {
      return ordinals[at++];
    }

    @Override
    public int docValueCount() {
      return end - start;
    }

    @Override
    public BytesRef lookupOrd(long ordinal) {
      term((int) ordinal, scratch);
      return scratch;
    }

    @Override
    public long getValueCount() {
      return termCount;
    }

    @Override
    protected boolean load(int target) {
      start = starts[target];
      end = starts[target + 1];
      at = start;
      return end > start;
    }
  }
}
