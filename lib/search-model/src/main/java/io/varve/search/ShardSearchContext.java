package io.varve.search;

import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data that a shard needs for a search besides the request. The coordinator collects it once
 * for all shards.
 *
 * @param indexBoosts by index name; 1 for all others
 * @param documents sources of the documents that queries refer to; absent for documents that don't
 *     exist
 * @param statistics the statistics of all shards; empty when each shard scores with its own
 * @param allowExpensive whether queries that may visit all terms or documents are allowed
 * @param maxClauses the maximum number of clauses that a query may expand to
 */
public record ShardSearchContext(
    Map<String, Float> indexBoosts,
    Map<DocumentKey, byte[]> documents,
    SearchStatistics statistics,
    boolean allowExpensive,
    int maxClauses) {

  public static final int DEFAULT_MAX_CLAUSES = 1024;

  public static final ShardSearchContext PLAIN =
      new ShardSearchContext(Map.of(), Map.of(), SearchStatistics.NONE, true, DEFAULT_MAX_CLAUSES);

  /** A document from which a query takes values. */
  public record DocumentKey(String index, String id, @Nullable String routing) {}

  public ShardSearchContext {
    indexBoosts = Map.copyOf(indexBoosts);
    documents = Map.copyOf(documents);
  }

  public ShardSearchContext with(SearchStatistics newStatistics) {
    return new ShardSearchContext(
        indexBoosts, documents, newStatistics, allowExpensive, maxClauses);
  }

  void write(PackedWriter out) {
    out.writeVarLong(indexBoosts.size());
    indexBoosts.forEach((index, boost) -> {
      text(out, index);
      out.writeVarLong(Integer.toUnsignedLong(Float.floatToIntBits(boost)));
    });
    out.writeVarLong(documents.size());
    documents.forEach((key, source) -> {
      text(out, key.index);
      text(out, key.id);
      out.writeByte(key.routing == null ? 0 : 1);
      if (key.routing != null) {
        text(out, key.routing);
      }
      out.writeBytes(source);
    });
    statistics.write(out);
    out.writeByte(allowExpensive ? 1 : 0);
    out.writeVarLong(maxClauses);
  }

  static ShardSearchContext read(PackedReader in) {
    Map<String, Float> boosts = new LinkedHashMap<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      boosts.put(text(in), Float.intBitsToFloat((int) in.readVarLong()));
    }
    Map<DocumentKey, byte[]> documents = new LinkedHashMap<>();
    for (long left = in.readVarLong(); left > 0; left--) {
      String index = text(in);
      String id = text(in);
      String routing = in.readByte() == 1 ? text(in) : null;
      documents.put(new DocumentKey(index, id, routing), in.readBytes());
    }
    SearchStatistics statistics = SearchStatistics.read(in);
    boolean allowExpensive = in.readByte() == 1;
    return new ShardSearchContext(
        boosts, documents, statistics, allowExpensive, (int) in.readVarLong());
  }

  private static void text(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(PackedReader in) {
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }
}
