package io.varve.engine.search;

import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** A hit that is being fetched. */
final class HitContext {

  final LeafReaderContext leaf;

  /** The document's id within the segment. */
  final int doc;

  final float score;
  final String id;

  /** The requested stored fields, by name. */
  final Map<String, List<Object>> stored;

  private final byte @Nullable [] source;
  private final @Nullable HitContext root;
  private @Nullable SourceTree tree;

  HitContext(LeafReaderContext leaf, int doc, float score, StoredHit stored) {
    this.leaf = leaf;
    this.doc = doc;
    this.score = score;
    this.id = stored.id();
    this.stored = stored.values();
    this.source = stored.source();
    this.root = null;
  }

  /** A nested object within a hit; it has the hit's id. */
  HitContext(LeafReaderContext leaf, int doc, float score, StoredHit stored, HitContext root) {
    this.leaf = leaf;
    this.doc = doc;
    this.score = score;
    this.id = root.id;
    this.stored = stored.values();
    this.source = root.source;
    this.root = root;
  }

  /** The hit that contains the object, or this hit itself. */
  HitContext root() {
    HitContext around = root;
    return around == null ? this : around;
  }

  /** The document's id in the whole reader. */
  int globalDoc() {
    return leaf.docBase + doc;
  }

  byte @Nullable [] source() {
    return source;
  }

  /** Empty if no source is kept. */
  SourceTree tree() {
    SourceTree known = tree;
    if (known == null) {
      known = source == null ? SourceTree.of(Map.of()) : SourceTree.parse(source);
      tree = known;
    }
    return known;
  }

  void tree(SourceTree own) {
    tree = own;
  }
}
