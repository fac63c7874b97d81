package io.varve.search;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A search as a shard is asked for it: the first {@code from + size} hits.
 *
 * @param nowMillis what {@code now} means, the same on all shards
 */
public record ShardSearchRequest(SearchRequest search, long nowMillis) {

  public static final String CONTENT_TYPE = "application/vnd.varve.search";

  private static final int FORMAT = 1;

  /** Hits that the shard gives at most. */
  public int hits() {
    return (int) Math.min(Integer.MAX_VALUE, (long) search.page().from() + search.page().size());
  }

  public byte[] toBytes() {
    SearchRequest.Origin origin = search.origin();
    PackedWriter writer = new PackedWriter(origin.body().length + 64);
    writer.writeByte(FORMAT);
    writer.writeVarLong(nowMillis);
    writer.writeBytes(origin.body());
    writer.writeVarLong(origin.parameters().size());
    origin
        .parameters()
        .forEach((name, value) -> {
          writer.writeBytes(name.getBytes(StandardCharsets.UTF_8));
          writer.writeBytes(value.getBytes(StandardCharsets.UTF_8));
        });
    return writer.toByteArray();
  }

  public static ShardSearchRequest fromBytes(byte[] bytes) {
    PackedReader reader = new PackedReader(bytes);
    int format = reader.readByte();
    if (format != FORMAT) {
      throw new MalformedRecordException("a shard's search of format " + format);
    }
    long nowMillis = reader.readVarLong();
    byte[] body = reader.readBytes();
    Map<String, String> parameters = new LinkedHashMap<>();
    for (long left = reader.readVarLong(); left > 0; left--) {
      String name = new String(reader.readBytes(), StandardCharsets.UTF_8);
      parameters.put(name, new String(reader.readBytes(), StandardCharsets.UTF_8));
    }
    return new ShardSearchRequest(SearchRequest.parse(body, parameters), nowMillis);
  }
}
