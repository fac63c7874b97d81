package io.varve.engine.search.aggregation;

import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.jspecify.annotations.Nullable;

/** How the hits of a group are ordered and read. */
public interface HitReading {

  /** Null for by score. */
  @Nullable Sort sort();

  /** Whether hits that are sorted otherwise show their scores. */
  boolean showsScores();

  /** The first so many of each group. */
  int most();

  List<ShardHit> read(ScoreDoc[] documents) throws IOException;

  /** The name of the index that hits are from. */
  String index();

  /** Decides between equal hits of several shards. */
  long place(int document);
}
