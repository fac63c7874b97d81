package io.varve.engine.search;

import io.varve.search.hits.ShardHit;
import io.varve.search.query.Highlight;
import io.varve.search.query.HitExtras;
import io.varve.search.query.HitsRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/** The fetch phase of one search, created once and applied to any number of hits. */
final class FetchPhase {

  private final QueryContext context;
  private final QueryTranslator translator;
  private final List<InnerHitsPart.Plan> innerHits;
  private final HitsRequest request;
  private final List<TranslatedKey> keys;
  private final @Nullable Grouping grouping;
  private final FieldValuesPart fields;
  private final List<HitPart> parts = new ArrayList<>();

  /**
   * @param marked the query whose words are highlighted
   */
  FetchPhase(
      QueryContext context,
      QueryTranslator translator,
      HitsRequest request,
      List<TranslatedKey> keys,
      @Nullable Grouping grouping,
      io.varve.search.query.Query marked) {
    this.translator = translator;
    this.innerHits = List.copyOf(context.innerHits());
    this.context = context;
    this.request = request;
    this.keys = keys;
    this.grouping = grouping;
    HitExtras extras = request.parts().extras();
    parts.add(new IgnoredPart());
    this.fields = new FieldsOfHits(context).of(extras);
    Grouping groups = grouping;
    if (groups != null) {
      fields.add(groups.name(), DocValueReading.of(groups.field(), null));
    }
    if (!fields.isEmpty()) {
      parts.add(fields);
    }
    Highlight highlight = extras.highlight();
    if (highlight != null) {
      parts.add(new HighlightPart(context, translator, highlight, marked));
    }
  }

  /**
   * @param query the query that found and scored the hits
   */
  List<ShardHit> read(
      IndexSearcher searcher, Query query, Rescoring rescoring, ScoreDoc[] documents) {
    try {
      List<HitPart> all = new ArrayList<>(parts);
      if (!context.named().isEmpty()) {
        all.add(new NamedPart(searcher, context.named(), request.parts().extras().namedScores()));
      }
      if (request.parts().extras().explain()) {
        all.add(
            new ExplanationPart(
                doc -> rescoring.explain(searcher, searcher.explain(query, doc), doc)));
      }
      if (!innerHits.isEmpty()) {
        all.add(
            new InnerHitsPart(searcher, context, translator, innerHits, request.totalsAsNumbers()));
      }
      return new HitReader(searcher, request.parts(), context.mapping().sourceEnabled(), all)
          .read(documents, new Ranked());
    } catch (IOException e) {
      throw new UncheckedIOException("reading hits of a shard", e);
    }
  }

  /** The parts that depend on the hit alone. */
  List<HitPart> parts() {
    return parts;
  }

  List<@Nullable Object> sortValues(ScoreDoc document) {
    return new Ranked().sortValues(document);
  }

  private boolean byScore() {
    return request.page().searchAfter() == null && request.sortedByScore();
  }

  private final class Ranked implements HitReader.Ranks {

    private final boolean formatted =
        !byScore() && keys.stream().anyMatch(key -> key.showing().format() != null);

    @Override
    public List<@Nullable Object> sortValues(ScoreDoc document) {
      if (byScore()) {
        return List.of();
      }
      if (keys.size() == 1) {
        return Collections.singletonList(keys.getFirst().shown(((FieldDoc) document).fields[0]));
      }
      List<@Nullable Object> values = new ArrayList<>(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        values.add(keys.get(i).shown(((FieldDoc) document).fields[i]));
      }
      return Collections.unmodifiableList(values);
    }

    @Override
    public @Nullable List<@Nullable Object> shownSortValues(ScoreDoc document) {
      if (!formatted) {
        return null;
      }
      List<@Nullable Object> values = new ArrayList<>(sortValues(document));
      for (int i = 0; i < values.size(); i++) {
        values.set(i, keys.get(i).formatted(values.get(i)));
      }
      return values;
    }

    @Override
    public @Nullable Object group(ScoreDoc document) {
      return grouping == null ? null : grouping.group(document);
    }
  }
}
