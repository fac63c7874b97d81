package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.search.ShardSearchContext.DocumentKey;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.FullTextQuery.LikeDocument;
import io.varve.search.query.FullTextQuery.LikeOptions;
import io.varve.search.query.FullTextQuery.MoreLikeThis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;

/** Selects the most significant terms of texts and documents, and searches for them. */
final class MoreLikeThisQueries {

  private final QueryContext context;

  MoreLikeThisQueries(QueryContext context) {
    this.context = context;
  }

  Query of(MoreLikeThis query) {
    List<LeafField> fields = fields(query);
    if (fields.isEmpty()) {
      return new MatchNoDocsQuery("no fields to compare");
    }
    Map<String, Collection<Object>> texts = new LinkedHashMap<>();
    for (LeafField field : fields) {
      texts.computeIfAbsent(field.path(), _ -> new ArrayList<>()).addAll(query.likeTexts());
    }
    List<BytesRef> likedIds = new ArrayList<>();
    for (LikeDocument liked : query.likeDocuments()) {
      String index = liked.index() == null ? context.index().name() : liked.index();
      byte[] source =
          context
              .searchContext()
              .documents()
              .get(new DocumentKey(index, liked.id(), liked.routing()));
      if (index.equals(context.index().name())) {
        likedIds.add(new BytesRef(liked.id()));
      }
      if (source != null) {
        SourceTree tree = SourceTree.parse(source);
        for (LeafField field : fields) {
          texts
              .computeIfAbsent(field.path(), _ -> new ArrayList<>())
              .addAll(tree.scalars(field.path()).stream().map(String::valueOf).toList());
        }
      }
    }
    Query words = words(query, fields, texts);
    if (query.options().include() || likedIds.isEmpty()) {
      return words;
    }
    return new BooleanQuery.Builder()
        .add(words, BooleanClause.Occur.MUST)
        .add(new TermInSetQuery(MetaFields.ID, likedIds), BooleanClause.Occur.MUST_NOT)
        .build();
  }

  private List<LeafField> fields(MoreLikeThis query) {
    List<LeafField> fields = new ArrayList<>();
    List<String> names = query.fields().isEmpty() ? List.of("*") : query.fields();
    for (String name : names) {
      for (LeafField field : context.fields(name)) {
        if (field.type().isText() || field.type().isKeyword()) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  private Query words(
      MoreLikeThis query, List<LeafField> fields, Map<String, Collection<Object>> texts) {
    LikeOptions options = query.options();
    try {
      org.apache.lucene.queries.mlt.MoreLikeThis like =
          new org.apache.lucene.queries.mlt.MoreLikeThis(context.searcher().getIndexReader());
      like.setAnalyzer(analyzers(options, fields));
      like.setFieldNames(texts.keySet().toArray(String[]::new));
      like.setMinTermFreq(options.minTermFrequency());
      like.setMinDocFreq(options.minDocumentFrequency());
      like.setMaxDocFreq(options.maxDocumentFrequency());
      like.setMinWordLen(options.minWordLength());
      like.setMaxWordLen(options.maxWordLength());
      like.setMaxQueryTerms(options.maxQueryTerms());
      Set<Object> stops = new HashSet<>(options.stopWords());
      query
          .unlikeTexts()
          .forEach(text ->
              fields.forEach(field ->
                  stops.addAll(
                      TextQueryBuilder.texts(
                          context.analyzer(field, options.analyzer()), field.path(), text))));
      like.setStopWords(stops);
      if (options.boostTerms() > 0) {
        like.setBoost(true);
        like.setBoostFactor(options.boostTerms());
      }
      return TextQueryTranslator.withMinimum(like.like(texts), options.minimumShouldMatch());
    } catch (IOException e) {
      throw new UncheckedIOException("selecting significant terms", e);
    }
  }

  private Analyzer analyzers(LikeOptions options, List<LeafField> fields) {
    Map<String, Analyzer> byField = new LinkedHashMap<>();
    fields.forEach(field -> byField.put(field.path(), context.analyzer(field, options.analyzer())));
    Analyzer any = byField.values().iterator().next();
    return new DelegatingAnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String field) {
        return byField.getOrDefault(field, any);
      }
    };
  }
}
