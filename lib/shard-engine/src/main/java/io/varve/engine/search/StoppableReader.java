package io.varve.engine.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * A reader whose terms and points throw {@link SearchStop.StoppedException} when the search must
 * stop: expanding a pattern or traversing points can take long before the first document is
 * visited. All else, including cache keys, is delegated.
 */
final class StoppableReader extends FilterDirectoryReader {

  private static final int ASK_EVERY = 64;

  private final SearchStop stop;

  private StoppableReader(DirectoryReader in, SearchStop stop) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new Leaf(reader, stop);
          }
        });
    this.stop = stop;
  }

  /** Returns the reader itself if it has no segments to wrap. */
  static IndexReader over(IndexReader reader, SearchStop stop) {
    try {
      return reader instanceof DirectoryReader directory
          ? new StoppableReader(directory, stop)
          : reader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
    return new StoppableReader(in, stop);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Leaf extends FilterLeafReader {
    private final SearchStop stop;

    Leaf(LeafReader in, SearchStop stop) {
      super(in);
      this.stop = stop;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      return terms == null ? null : new StoppableTerms(terms, stop);
    }

    @Override
    public @Nullable PointValues getPointValues(String field) throws IOException {
      PointValues points = in.getPointValues(field);
      return points == null ? null : new StoppablePoints(points, stop);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class StoppableTerms extends FilterLeafReader.FilterTerms {
    private final SearchStop stop;

    StoppableTerms(Terms in, SearchStop stop) {
      super(in);
      this.stop = stop;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      return new StoppableTermsEnum(in.iterator(), stop);
    }

    @Override
    public TermsEnum intersect(CompiledAutomaton compiled, @Nullable BytesRef start)
        throws IOException {
      return new StoppableTermsEnum(in.intersect(compiled, start), stop);
    }

    @Override
    public BytesRef getMin() throws IOException {
      return in.getMin();
    }

    @Override
    public BytesRef getMax() throws IOException {
      return in.getMax();
    }
  }

  private static final class StoppableTermsEnum extends FilterLeafReader.FilterTermsEnum {
    private final SearchStop stop;
    private int seen;

    StoppableTermsEnum(TermsEnum in, SearchStop stop) {
      super(in);
      this.stop = stop;
      stop.check();
    }

    @Override
    public BytesRef next() throws IOException {
      if (++seen % ASK_EVERY == 0) {
        stop.check();
      }
      return in.next();
    }
  }

  private static final class StoppablePoints extends PointValues {
    private final PointValues in;
    private final SearchStop stop;

    StoppablePoints(PointValues in, SearchStop stop) {
      this.in = in;
      this.stop = stop;
      stop.check();
    }

    @Override
    public PointTree getPointTree() throws IOException {
      return new StoppableTree(in.getPointTree(), stop);
    }

    @Override
    public byte[] getMinPackedValue() throws IOException {
      return in.getMinPackedValue();
    }

    @Override
    public byte[] getMaxPackedValue() throws IOException {
      return in.getMaxPackedValue();
    }

    @Override
    public int getNumDimensions() throws IOException {
      return in.getNumDimensions();
    }

    @Override
    public int getNumIndexDimensions() throws IOException {
      return in.getNumIndexDimensions();
    }

    @Override
    public int getBytesPerDimension() throws IOException {
      return in.getBytesPerDimension();
    }

    @Override
    public long size() {
      return in.size();
    }

    @Override
    public int getDocCount() {
      return in.getDocCount();
    }
  }

  private static final class StoppableTree implements PointValues.PointTree {
    private final PointValues.PointTree in;
    private final SearchStop stop;
    private int seen;

    StoppableTree(PointValues.PointTree in, SearchStop stop) {
      this.in = in;
      this.stop = stop;
    }

    private void ask() {
      if (++seen % ASK_EVERY == 0) {
        stop.check();
      }
    }

    @Override
    public PointValues.PointTree clone() {
      return new StoppableTree(in.clone(), stop);
    }

    @Override
    public boolean moveToChild() throws IOException {
      ask();
      return in.moveToChild();
    }

    @Override
    public boolean moveToSibling() throws IOException {
      ask();
      return in.moveToSibling();
    }

    @Override
    public boolean moveToParent() throws IOException {
      return in.moveToParent();
    }

    @Override
    public byte[] getMinPackedValue() {
      return in.getMinPackedValue();
    }

    @Override
    public byte[] getMaxPackedValue() {
      return in.getMaxPackedValue();
    }

    @Override
    public long size() {
      return in.size();
    }

    @Override
    public void visitDocIDs(PointValues.IntersectVisitor visitor) throws IOException {
      stop.check();
      in.visitDocIDs(visitor);
    }

    @Override
    public void visitDocValues(PointValues.IntersectVisitor visitor) throws IOException {
      ask();
      in.visitDocValues(visitor);
    }
  }
}
