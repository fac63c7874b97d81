package io.varve.engine.version;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.SourceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest state of an id in a reader: the live document, or the tombstone with the highest
 * seq_no.
 *
 * <p>Terms enumerations are pooled per segment: they are expensive to create, not thread-safe, and
 * remain valid across refreshes because a segment's terms never change.
 */
public final class IdLookup {

  private static final class Cursor {
    final @Nullable TermsEnum terms;
    @Nullable PostingsEnum postings;

    Cursor(LeafReader leaf) throws IOException {
      Terms ids = leaf.terms(MetaFields.ID);
      terms = ids == null ? null : ids.iterator();
    }
  }

  private final ConcurrentHashMap<IndexReader.CacheKey, ConcurrentLinkedQueue<Cursor>> cursors =
      new ConcurrentHashMap<>();

  /** The state of {@code id} in {@code reader}, with source and routing if requested. */
  public @Nullable DocumentState find(IndexReader reader, String id, boolean withSource)
      throws IOException {
    BytesRef term = new BytesRef(id.getBytes(StandardCharsets.UTF_8));
    List<LeafReaderContext> leaves = reader.leaves();
    DocumentState tombstone = null;
    // From the last segment, which is usually the newest: documents that change often are found
    // early.
    for (int i = leaves.size() - 1; i >= 0; i--) {
      LeafReader leaf = leaves.get(i).reader();
      DocumentState found = findIn(leaf, term, withSource);
      if (found != null && !found.deleted()) {
        return found;
      }
      if (found != null && (tombstone == null || found.seqNo() > tombstone.seqNo())) {
        tombstone = found;
      }
    }
    return tombstone;
  }

  private @Nullable DocumentState findIn(LeafReader leaf, BytesRef term, boolean withSource)
      throws IOException {
    IndexReader.CacheHelper core = leaf.getCoreCacheHelper();
    if (core == null) {
      return findWith(new Cursor(leaf), leaf, term, withSource);
    }
    ConcurrentLinkedQueue<Cursor> pool = pool(core);
    Cursor pooled = pool.poll();
    Cursor cursor = pooled == null ? new Cursor(leaf) : pooled;
    DocumentState found = findWith(cursor, leaf, term, withSource);
    pool.add(cursor);
    return found;
  }

  private ConcurrentLinkedQueue<Cursor> pool(IndexReader.CacheHelper core) {
    ConcurrentLinkedQueue<Cursor> known = cursors.get(core.getKey());
    if (known != null) {
      return known;
    }
    return cursors.computeIfAbsent(
        core.getKey(),
        key -> {
          core.addClosedListener(cursors::remove);
          return new ConcurrentLinkedQueue<>();
        });
  }

  private static @Nullable DocumentState findWith(
      Cursor cursor, LeafReader leaf, BytesRef term, boolean withSource) throws IOException {
    TermsEnum terms = cursor.terms;
    if (terms == null || !terms.seekExact(term)) {
      return null;
    }
    PostingsEnum docs = terms.postings(cursor.postings, PostingsEnum.NONE);
    cursor.postings = docs;
    Bits live = leaf.getLiveDocs();
    NumericDocValues tombstones = leaf.getNumericDocValues(MetaFields.TOMBSTONE);
    DocumentState newest = null;
    int alive = -1;
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (live == null || live.get(doc)) {
        // Nested objects have the document's id and precede it.
        alive = doc;
        continue;
      }
      // Merges may reorder segments, so the newest may be anywhere.
      if (tombstones != null && tombstones.advanceExact(doc)) {
        DocumentState tombstone = state(leaf, doc, true, false);
        newest = newest == null || tombstone.seqNo() > newest.seqNo() ? tombstone : newest;
      }
    }
    return alive < 0 ? newest : state(leaf, alive, false, withSource);
  }

  private static DocumentState state(LeafReader leaf, int doc, boolean deleted, boolean withSource)
      throws IOException {
    StoredDocument stored = withSource ? stored(leaf, doc) : null;
    return new DocumentState(
        number(leaf, MetaFields.SEQ_NO, doc),
        number(leaf, MetaFields.PRIMARY_TERM, doc),
        number(leaf, MetaFields.VERSION, doc),
        deleted,
        stored == null ? null : stored.source,
        stored == null ? null : stored.routing);
  }

  private static long number(LeafReader leaf, String field, int doc) throws IOException {
    NumericDocValues values = leaf.getNumericDocValues(field);
    if (values == null || !values.advanceExact(doc)) {
      throw new IllegalStateException("document " + doc + " of " + leaf + " has no " + field);
    }
    return values.longValue();
  }

  private static StoredDocument stored(LeafReader leaf, int doc) throws IOException {
    StoredDocument stored = new StoredDocument();
    leaf.storedFields().document(doc, stored);
    stored.source = new SourceReader(leaf).source(doc, stored.source);
    return stored;
  }

  /** Loads source and routing only. */
  private static final class StoredDocument extends StoredFieldVisitor {
    byte @Nullable [] source;
    @Nullable String routing;

    @Override
    public Status needsField(FieldInfo field) {
      return switch (field.name) {
        case MetaFields.SOURCE, MetaFields.ROUTING -> Status.YES;
        default -> Status.NO;
      };
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      if (field.name.equals(MetaFields.SOURCE)) {
        source = value;
      } else {
        routing = new String(value, StandardCharsets.UTF_8);
      }
    }
  }
}
