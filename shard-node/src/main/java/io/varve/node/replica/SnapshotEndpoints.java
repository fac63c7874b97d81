package io.varve.node.replica;

import io.varve.node.ShardCopy;
import io.varve.node.SnapshotSource;
import io.varve.node.http.Bodies;
import io.varve.node.http.ShardEndpoint;
import io.varve.node.primary.PrimaryCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * From where other nodes copy: {@code GET} and {@code DELETE /snapshots/{generation}?copy=} take
 * and release a lease, {@code GET /files/{name}?generation=} gives a file of a held snapshot, whole
 * or by range. A name is looked up among the snapshot's files, it is never a path.
 */
public final class SnapshotEndpoints {

  private static final int BUFFER_BYTES = 1 << 18;

  private final Function<ShardCopy, Optional<SnapshotSource>> sourceOf;

  /** {@code sourceOf} knows which copies have snapshots: the primaries. */
  public SnapshotEndpoints(Function<ShardCopy, Optional<SnapshotSource>> sourceOf) {
    this.sourceOf = sourceOf;
  }

  /** The endpoints of copies that are primaries; all others have no snapshots. */
  public static SnapshotEndpoints ofPrimaries() {
    return new SnapshotEndpoints(copy ->
        copy instanceof PrimaryCopy primary ? Optional.of(primary.snapshots()) : Optional.empty());
  }

  /** By method and name. */
  public Map<String, ShardEndpoint> byName() {
    return Map.of(
        "GET snapshots", this::lease, "DELETE snapshots", this::release, "GET files", this::file);
  }

  private void lease(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Bodies.sendJson(
        response, source(copy).lease(number("generation", rest), Bodies.required(request, "copy")));
  }

  private void release(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    source(copy).release(number("generation", rest), Bodies.required(request, "copy"));
    Bodies.sendJson(response, Map.of());
  }

  private void file(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long generation = Bodies.requiredLong(request, "generation");
    SnapshotSource.HeldFile held = source(copy).file(generation, rest);
    // Once open, the bytes stay readable even if the lease ends meanwhile.
    try (FileChannel channel = FileChannel.open(held.path(), StandardOpenOption.READ)) {
      long length = held.file().lengthBytes();
      response.setHeader("ETag", "\"" + held.file().checksum() + "\"");
      response.setHeader("Accept-Ranges", "bytes");
      response.setContentType("application/octet-stream");
      switch (ByteRange.parse(request.getHeader("Range"), length)) {
        case ByteRange.Whole _ -> send(channel, 0, length, response);
        case ByteRange.Part(long from, long to) -> {
          response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
          response.setHeader("Content-Range", "bytes " + from + "-" + to + "/" + length);
          send(channel, from, to - from + 1, response);
        }
        case ByteRange.Unsatisfiable _ -> {
          response.setStatus(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
          response.setHeader("Content-Range", "bytes */" + length);
          response.setContentLength(0);
        }
      }
    } catch (NoSuchFileException e) {
      throw gone(copy, "file " + rest + " of generation " + generation + " is gone");
    }
  }

  private static void send(
      FileChannel channel, long from, long length, HttpServletResponse response)
      throws IOException {
    response.setContentLengthLong(length);
    OutputStream out = response.getOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, Math.max(1, length)));
    long position = from;
    long end = from + length;
    while (position < end) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
      int got = channel.read(buffer, position);
      if (got < 0) {
        throw new IOException("the file ended at byte " + position + " of " + end);
      }
      out.write(buffer.array(), 0, got);
      position += got;
    }
  }

  private SnapshotSource source(ShardCopy copy) {
    return sourceOf
        .apply(copy)
        .orElseThrow(() -> gone(copy, "copy " + copy.copyId() + " publishes no snapshots"));
  }

  private static ApiException gone(ShardCopy copy, String reason) {
    return new ApiException(
        ErrorBody.of(410, "snapshot_gone_exception", reason)
            .with("shard", copy.shard().number())
            .with("index_uuid", copy.shard().indexUuid()));
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("[" + name + "] must be a number, was [" + text + "]"));
    }
  }
}
