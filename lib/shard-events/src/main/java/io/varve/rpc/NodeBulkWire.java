package io.varve.rpc;

import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import io.varve.events.ShardId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The binary bodies of a bulk for several primaries of one node.
 *
 * <pre>
 *   request  length of the heads, head*, then the items of each part, in the order of the heads
 *            head   = index uuid, number of the shard, primary term, version of the index's
 *                     metadata that the coordinator knows, number of items, task (empty for none),
 *                     bytes of the items
 *   answer   frame*, one for each part, in any order
 *            frame  = length of what follows, part, status, body
 * </pre>
 *
 * Items are those of {@link BulkWire}; so is the body of a frame with status 200. Another status
 * has the body with which an endpoint reports that error. The two lengths have four bytes, other
 * numbers are varlongs, strings are length-prefixed.
 */
public final class NodeBulkWire {

  public static final String PATH = "/_internal/bulk";
  public static final String CONTENT_TYPE = "application/vnd.varve.node-bulk";

  /** The size in bytes of the length before the heads, and of the length before a frame. */
  public static final int LENGTH_BYTES = Integer.BYTES;

  private NodeBulkWire() {}

  /**
   * The items for one primary.
   *
   * @param metadataVersion of the index, which the primary must know before it writes
   * @param task of the coordinator, parent of the write; null for none
   */
  public record Part(
      ShardId shard,
      long term,
      long metadataVersion,
      @Nullable String task,
      List<WriteItem> items) {}

  /**
   * A part without its items.
   *
   * @param items their number
   * @param sizeBytes of the encoded items
   */
  public record Head(
      ShardId shard,
      long term,
      long metadataVersion,
      int items,
      @Nullable String task,
      int sizeBytes) {}

  /**
   * The answer to one part.
   *
   * @param part its position in the request
   * @param status as of a request for this part alone
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Frame(int part, int status, byte[] body) {}

  public static byte[] encodeRequest(List<Part> parts) {
    PackedWriter heads = new PackedWriter(64 * parts.size());
    PackedWriter bodies =
        new PackedWriter(parts.stream().mapToInt(part -> BulkWire.sizeBytes(part.items())).sum());
    for (Part part : parts) {
      int before = bodies.sizeBytes();
      part.items().forEach(item -> BulkWire.encode(bodies, item));
      writeText(heads, part.shard().indexUuid());
      heads.writeVarLong(part.shard().number());
      heads.writeVarLong(part.term());
      heads.writeVarLong(part.metadataVersion());
      heads.writeVarLong(part.items().size());
      writeText(heads, part.task() == null ? "" : part.task());
      heads.writeVarLong(bodies.sizeBytes() - before);
    }
    return ByteBuffer.allocate(LENGTH_BYTES + heads.sizeBytes() + bodies.sizeBytes())
        .putInt(heads.sizeBytes())
        .put(heads.toByteArray())
        .put(bodies.toByteArray())
        .array();
  }

  private static void writeText(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Decodes the {@link #LENGTH_BYTES}; negative only if they are malformed. */
  public static int length(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  /**
   * @throws MalformedRecordException if the bytes are not the heads of at least one part
   */
  public static List<Head> decodeHeads(byte[] heads) {
    PackedReader in = new PackedReader(heads);
    List<Head> parts = new ArrayList<>();
    while (in.hasMore()) {
      ShardId shard = new ShardId(in.readText(), number(in));
      long term = in.readVarLong();
      long metadataVersion = in.readVarLong();
      int items = number(in);
      String task = in.readText();
      parts.add(
          new Head(shard, term, metadataVersion, items, task.isEmpty() ? null : task, number(in)));
    }
    if (parts.isEmpty()) {
      throw new MalformedRecordException("a bulk of a node has no parts");
    }
    return parts;
  }

  private static int number(PackedReader in) {
    long number = in.readVarLong();
    if (number > Integer.MAX_VALUE) {
      throw new MalformedRecordException(number + " is too large");
    }
    return (int) number;
  }

  public static byte[] encodeFrame(Frame frame) {
    PackedWriter out = new PackedWriter(16);
    out.writeVarLong(frame.part());
    out.writeVarLong(frame.status());
    return ByteBuffer.allocate(LENGTH_BYTES + out.sizeBytes() + frame.body().length)
        .putInt(out.sizeBytes() + frame.body().length)
        .put(out.toByteArray())
        .put(frame.body())
        .array();
  }

  private static Frame decodeFrame(byte[] bytes, int from, int count) {
    PackedReader in = new PackedReader(bytes, from, count);
    int part = number(in);
    int status = number(in);
    return new Frame(part, status, Arrays.copyOfRange(bytes, in.position(), from + count));
  }

  /** Finds the frames of an answer that arrives in pieces of any size. Not thread-safe. */
  public static final class Frames {

    private byte[] pending = new byte[1024];
    private int count;

    /**
     * Adds the first {@code length} bytes of a piece, and passes on the frames that are complete.
     *
     * @throws MalformedRecordException if the bytes are no frame
     */
    public void add(byte[] piece, int length, Consumer<Frame> each) {
      if (pending.length - count < length) {
        pending = Arrays.copyOf(pending, Math.max(2 * pending.length, count + length));
      }
      System.arraycopy(piece, 0, pending, count, length);
      count += length;
      int from = 0;
      while (count - from >= LENGTH_BYTES) {
        int size = ByteBuffer.wrap(pending, from, LENGTH_BYTES).getInt();
        if (size < 0) {
          throw new MalformedRecordException("a frame of " + size + " bytes");
        }
        if (count - from - LENGTH_BYTES < size) {
          break;
        }
        Frame frame = decodeFrame(pending, from + LENGTH_BYTES, size);
        from += LENGTH_BYTES + size;
        each.accept(frame);
      }
      count -= from;
      System.arraycopy(pending, from, pending, 0, count);
    }
  }
}
