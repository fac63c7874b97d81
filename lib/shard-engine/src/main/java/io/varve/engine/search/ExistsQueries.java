package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.fields.MetaFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.source.NamePattern;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;

/**
 * Translates {@code exists} queries: documents with a field, with any field of an object, or with
 * any field that matches a pattern.
 */
final class ExistsQueries {

  private final QueryContext context;

  ExistsQueries(QueryContext context) {
    this.context = context;
  }

  Query of(String name) {
    switch (name) {
      case MetaFields.ID, MetaFields.SEQ_NO, "_index", "_version" -> {
        return new ConstantScoreQuery(MatchAllDocsQuery.INSTANCE);
      }
      case MetaFields.ROUTING, MetaFields.IGNORED -> {
        return new ConstantScoreQuery(new PrefixQuery(new Term(name, "")));
      }
      case "_source" -> throw SearchErrors.shard("The _source field is not searchable");
      default -> {}
    }
    LeafField exact = context.leaf(name);
    if (exact != null) {
      return new ConstantScoreQuery(one(exact));
    }
    NamePattern names = new NamePattern(name.indexOf('*') >= 0 ? name : name + ".*");
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    boolean some = false;
    for (Map.Entry<String, LeafField> entry : context.mapping().leaves().entrySet()) {
      if (names.matches(entry.getKey())) {
        any.add(one(entry.getValue()), BooleanClause.Occur.SHOULD);
        some = true;
      }
    }
    return some
        ? new ConstantScoreQuery(any.build())
        : new MatchNoDocsQuery("unmapped field [" + name + "]");
  }

  private static Query one(LeafField field) {
    return MappedFields.exists(field);
  }
}
