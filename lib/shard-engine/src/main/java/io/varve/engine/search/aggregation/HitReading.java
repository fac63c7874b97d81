package io.varve.engine.search.aggregation;

import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.jspecify.annotations.Nullable;

/** Sorts and fetches the hits of a bucket. */
public interface HitReading {

  /** The sort order; null for sorting by score. */
  @Nullable Sort sort();

  /** Whether scores are returned for hits sorted by other keys. */
  boolean showsScores();

  /** The maximum number of hits per bucket. */
  int most();

  List<ShardHit> read(ScoreDoc[] documents) throws IOException;

  /** The name of the index. */
  String index();

  /** Breaks ties between hits of several shards. */
  long place(int document);
}
