package io.varve.engine.search;

import io.varve.engine.fields.NestedDocuments;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.Query;
import io.varve.search.query.SortKey;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ToParentBlockJoinSortField;

/** Sorts documents by values of their nested objects: one of them, or a combination. */
final class NestedSorts {

  private final QueryContext context;
  private final QueryTranslator translator;

  NestedSorts(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  TranslatedKey of(
      SortKey key, SortKey.Kind.Values values, SortKey.NestedScope nested, LeafField field) {
    boolean plain =
        values.numericType() == null
            && FieldSorts.takesOne(key)
            && nested.innermost().maxChildren() == Integer.MAX_VALUE;
    return plain
        ? least(key, nested, FieldSorts.onField(key, field))
        : FieldSorts.computed(key, values, field, source(field.path(), nested));
  }

  /** A source in which a document's values are those of its nested objects. */
  ComputedSort.Source source(String path, SortKey.NestedScope nested) {
    BitSetProducer objects = objects(nested.innermost());
    int most = nested.innermost().maxChildren();
    return new ComputedSort.Source(
        path, leaf -> NestedValues.of(leaf, path, NestedQueries.ROOTS, objects, most));
  }

  // Lucene's sort for parents has no constructor that takes the missing value.
  @SuppressWarnings("deprecation")
  private TranslatedKey least(SortKey key, SortKey.NestedScope nested, TranslatedKey plain) {
    SortField lucene =
        new ToParentBlockJoinSortField(
            plain.lucene().getField(),
            plain.kind() == SortField.Type.CUSTOM ? SortField.Type.STRING : plain.kind(),
            key.descending(),
            key.takesGreatest(),
            NestedQueries.ROOTS,
            objects(nested.innermost()));
    lucene.setMissingValue(plain.lucene().getMissingValue());
    return new TranslatedKey(lucene, plain.leaf());
  }

  private BitSetProducer objects(SortKey.NestedScope nested) {
    String path = nested.path();
    FieldMapping.ObjectField object = context.mapping().object(path);
    if (object == null || !object.isNested()) {
      throw SearchErrors.shard("[nested] failed to find nested object under path [" + path + "]");
    }
    BooleanQuery.Builder objects =
        new BooleanQuery.Builder().add(NestedDocuments.at(path), BooleanClause.Occur.FILTER);
    Query filter = nested.filter();
    if (filter != null) {
      objects.add(
          context.aside(() -> context.within(path, null, () -> translator.translate(filter))),
          BooleanClause.Occur.FILTER);
    }
    return new QueryBitSetProducer(objects.build());
  }
}
