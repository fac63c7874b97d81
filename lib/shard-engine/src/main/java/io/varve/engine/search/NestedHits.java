package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.HitsRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/** Fetches nested objects as hits. */
final class NestedHits {

  /** The requested properties of a nested object's hit. */
  record Shown(HitsRequest request, List<HitPart> parts, List<@Nullable Object> sortValues) {}

  private final IndexSearcher searcher;
  private final QueryContext context;

  NestedHits(IndexSearcher searcher, QueryContext context) {
    this.searcher = searcher;
    this.context = context;
  }

  /**
   * @param path of the object
   * @param root the document that contains it
   * @param more additional properties, appended last
   */
  ShardHit read(String path, HitContext root, ScoreDoc found, Shown shown, List<ShardHit.Part> more)
      throws IOException {
    NestedIdentity place = NestedIdentity.of(context.mapping(), root, path, found.doc);
    Set<String> names = new HashSet<>();
    shown.parts.forEach(part -> names.addAll(part.storedFields()));
    StoredHit stored = new StoredHit(false, names);
    searcher.storedFields().document(found.doc, stored);
    HitContext own =
        new HitContext(root.leaf, found.doc - root.leaf.docBase, found.score, stored, root);
    own.tree(place.tree());
    List<ShardHit.Part> parts = new ArrayList<>();
    parts.add(new ShardHit.Part("_nested", Json.write(place.shown())));
    for (HitPart part : shown.parts) {
      ShardHit.Part one = part.of(own);
      if (one != null) {
        parts.add(one);
      }
    }
    parts.addAll(more);
    boolean source = shown.request.parts().source().enabled() && context.mapping().sourceEnabled();
    return new ShardHit(
        root.id,
        null,
        found.score,
        shown.sortValues,
        new ShardHit.Stamp(
            number(root, MetaFields.VERSION),
            number(root, MetaFields.SEQ_NO),
            number(root, MetaFields.PRIMARY_TERM)),
        source && place.object() != null ? Json.write(place.object()) : null,
        new ShardHit.Extras(parts, null, null));
  }

  private static long number(HitContext root, String field) throws IOException {
    NumericDocValues values = root.leaf.reader().getNumericDocValues(field);
    return values != null && values.advanceExact(root.doc) ? values.longValue() : 0;
  }
}
