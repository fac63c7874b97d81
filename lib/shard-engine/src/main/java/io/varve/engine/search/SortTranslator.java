package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.SortKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.SortField;

/** Translates the sort keys of a search to Lucene's sort fields. */
final class SortTranslator {

  private final QueryContext context;
  private final QueryTranslator translator;
  private final int shard;

  /**
   * @param shard the shard's ordinal among the searched shards
   */
  SortTranslator(QueryContext context, QueryTranslator translator, int shard) {
    this.context = context;
    this.translator = translator;
    this.shard = shard;
  }

  List<TranslatedKey> translate(List<SortKey> keys) {
    List<TranslatedKey> translated = new ArrayList<>();
    try {
      keys.forEach(key -> translated.add(translate(key)));
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    }
    return translated;
  }

  private TranslatedKey translate(SortKey key) {
    if (key.isScore()) {
      return new TranslatedKey(new SortField(null, SortField.Type.SCORE, !key.descending()), null);
    }
    SortField byDoc = new SortField(null, SortField.Type.DOC, key.descending());
    if (key.isDoc()) {
      return new TranslatedKey(byDoc, null);
    }
    if (key.isShardDoc()) {
      return new TranslatedKey(byDoc, null, shard, TranslatedKey.Showing.PLAIN);
    }
    if (key.field().equals(MetaFields.SEQ_NO)) {
      return new TranslatedKey(
          new SortField(MetaFields.SEQ_NO, SortField.Type.LONG, key.descending()), null);
    }
    LeafField field = context.leaf(key.field());
    NestedSorts objects = new NestedSorts(context, translator);
    return switch (key.kind()) {
      case SortKey.Kind.Distance distance -> {
        SortKey.NestedScope nested = distance.nested();
        yield DistanceSorts.of(
            key, distance, field, nested == null ? null : objects.source(key.field(), nested));
      }
      case SortKey.Kind.Values values ->
          byValues(key, values, field == null ? assumed(key) : field, objects);
    };
  }

  private static TranslatedKey byValues(
      SortKey key, SortKey.Kind.Values values, LeafField field, NestedSorts objects) {
    SortKey.NestedScope nested = values.nested();
    TranslatedKey plain =
        nested == null ? FieldSorts.of(key, values, field) : objects.of(key, values, nested, field);
    String format = values.format();
    if (format == null) {
      return plain;
    }
    // An invalid format is rejected even if no document has a value.
    var _ = DocValueReading.shown(field, format);
    return plain.showing(new TranslatedKey.Showing(format, 1));
  }

  private static LeafField assumed(SortKey key) {
    String typeName = key.unmappedType();
    if (typeName == null) {
      throw SearchErrors.shard("No mapping found for [" + key.field() + "] in order to sort on");
    }
    for (FieldType type : FieldType.values()) {
      if (type.json().equals(typeName)) {
        return LeafField.assumed(key.field(), type);
      }
    }
    throw SearchErrors.illegal("No mapper found for type [" + typeName + "]");
  }
}
