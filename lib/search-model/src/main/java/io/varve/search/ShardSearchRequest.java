package io.varve.search;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import io.varve.search.json.JsonValue;
import io.varve.search.query.Query;
import io.varve.search.query.QueryParser;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request for a search on one shard, which returns its first {@code from + size} hits.
 *
 * @param nowMillis the time that {@code now} denotes, equal on all shards
 * @param narrowing a query as JSON; documents that don't match it are invisible to this search;
 *     null for none
 * @param context the data that the shard needs besides the request
 */
public record ShardSearchRequest(
    SearchRequest search, long nowMillis, @Nullable String narrowing, ShardSearchContext context) {

  public static final String CONTENT_TYPE = "application/vnd.varve.search";

  private static final int FORMAT = 3;

  /** A search over the whole shard. */
  public ShardSearchRequest(SearchRequest search, long nowMillis) {
    this(search, nowMillis, null, ShardSearchContext.PLAIN);
  }

  public ShardSearchRequest narrowedBy(@Nullable String query) {
    return new ShardSearchRequest(search, nowMillis, query, context);
  }

  /** Another search in the same context. */
  public ShardSearchRequest of(SearchRequest other) {
    return new ShardSearchRequest(other, nowMillis, narrowing, context);
  }

  public ShardSearchRequest in(ShardSearchContext newContext) {
    return new ShardSearchRequest(search, nowMillis, narrowing, newContext);
  }

  /** The query, restricted to the documents that this search may see. */
  public Query query() {
    return narrowing == null
        ? search.query()
        : new Query.Bool(
            List.of(search.query()),
            List.of(
                QueryParser.parse(
                    JsonValue.parseObject(narrowing.getBytes(StandardCharsets.UTF_8)))),
            List.of(),
            List.of(),
            null,
            true,
            Query.NO_BOOST);
  }

  /** The maximum number of hits that the shard returns. */
  public int hits() {
    return (int) Math.min(Integer.MAX_VALUE, (long) search.page().from() + search.page().size());
  }

  public byte[] toBytes() {
    SearchRequest.Origin origin = search.origin();
    PackedWriter writer = new PackedWriter(origin.body().length + 64);
    writer.writeByte(FORMAT);
    writer.writeVarLong(nowMillis);
    writer.writeBytes((narrowing == null ? "" : narrowing).getBytes(StandardCharsets.UTF_8));
    writer.writeBytes(origin.body());
    writer.writeVarLong(origin.parameters().size());
    origin
        .parameters()
        .forEach((name, value) -> {
          writer.writeBytes(name.getBytes(StandardCharsets.UTF_8));
          writer.writeBytes(value.getBytes(StandardCharsets.UTF_8));
        });
    context.write(writer);
    return writer.toByteArray();
  }

  public static ShardSearchRequest fromBytes(byte[] bytes) {
    PackedReader reader = new PackedReader(bytes);
    int format = reader.readByte();
    if (format != FORMAT) {
      throw new MalformedRecordException("unknown format of a shard search request: " + format);
    }
    long nowMillis = reader.readVarLong();
    String narrowing = new String(reader.readBytes(), StandardCharsets.UTF_8);
    byte[] body = reader.readBytes();
    Map<String, String> parameters = new LinkedHashMap<>();
    for (long left = reader.readVarLong(); left > 0; left--) {
      String name = new String(reader.readBytes(), StandardCharsets.UTF_8);
      parameters.put(name, new String(reader.readBytes(), StandardCharsets.UTF_8));
    }
    ShardSearchContext context = ShardSearchContext.read(reader);
    return new ShardSearchRequest(
        SearchRequest.parse(body, parameters),
        nowMillis,
        narrowing.isEmpty() ? null : narrowing,
        context);
  }
}
