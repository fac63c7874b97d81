package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.grouping.GroupSelector;
import org.apache.lucene.search.grouping.SearchGroup;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Determines the group of a document from its single value of a field. */
abstract class GroupValues extends GroupSelector<Object> {

  private final LeafField field;
  private @Nullable Set<@Nullable Object> wanted;
  private @Nullable Object value;

  private GroupValues(LeafField field) {
    this.field = field;
  }

  static GroupValues of(LeafField field) {
    return field.type() == FieldType.KEYWORD ? new Terms(field) : new Numbers(field);
  }

  /** Moves to a document and returns its number of values. */
  abstract int load(int doc) throws IOException;

  /** The document's first value. */
  abstract Object read() throws IOException;

  @Override
  public void setScorer(Scorable scorer) {
    // Groups depend on values only.
  }

  @Override
  public void setGroups(Collection<SearchGroup<Object>> chosen) {
    Set<@Nullable Object> values = new HashSet<>();
    chosen.forEach(group -> values.add(group.groupValue));
    wanted = values;
  }

  @Override
  public State advanceTo(int doc) throws IOException {
    int count = load(doc);
    if (count > 1) {
      throw SearchErrors.failed(
          ErrorBody.illegalArgument(
              "failed to extract doc, the collapse field ["
                  + field.path()
                  + "] must be single valued"));
    }
    value = count == 0 ? null : read();
    return wanted == null || wanted.contains(value) ? State.ACCEPT : State.SKIP;
  }

  @Override
  public @Nullable Object currentValue() {
    return value;
  }

  @Override
  public @Nullable Object copyValue() {
    return value instanceof BytesRef term ? BytesRef.deepCopyOf(term) : value;
  }

  private static final class Numbers extends GroupValues {
    private final String path;
    private final DocValueReading.LongShown shown;
    private SortedNumericDocValues values = DocValues.emptySortedNumeric();

    Numbers(LeafField field) {
      super(field);
      this.path = field.path();
      // Grouped by the exact number: two dates of the same day are different groups.
      this.shown =
          field.type() == FieldType.DATE
              ? millis -> (Long) millis
              : DocValueReading.shown(field, null);
    }

    @Override
    public void setNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedNumeric(leaf.reader(), path);
    }

    @Override
    int load(int doc) throws IOException {
      return values.advanceExact(doc) ? values.docValueCount() : 0;
    }

    @Override
    Object read() throws IOException {
      return shown.of(values.nextValue());
    }
  }

  private static final class Terms extends GroupValues {
    private final String path;
    private SortedSetDocValues values = DocValues.emptySortedSet();

    Terms(LeafField field) {
      super(field);
      this.path = field.path();
    }

    @Override
    public void setNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedSet(leaf.reader(), path);
    }

    @Override
    int load(int doc) throws IOException {
      return values.advanceExact(doc) ? values.docValueCount() : 0;
    }

    @Override
    Object read() throws IOException {
      return values.lookupOrd(values.nextOrd());
    }
  }
}
