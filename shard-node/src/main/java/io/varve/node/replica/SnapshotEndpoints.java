package io.varve.node.replica;

import io.varve.events.Json;
import io.varve.node.ShardCopy;
import io.varve.node.SnapshotSource;
import io.varve.node.http.ShardEndpoint;
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

  /** The endpoint {@code /snapshots/}. */
  public ShardEndpoint snapshots() {
    return this::snapshot;
  }

  /** The endpoint {@code /files/}. */
  public ShardEndpoint files() {
    return this::file;
  }

  private void snapshot(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long generation = number("generation", rest);
    String holder = required(request, "copy");
    switch (request.getMethod()) {
      case "GET" -> json(response, Json.write(source(copy).lease(generation, holder)));
      case "DELETE" -> {
        source(copy).release(generation, holder);
        json(response, new byte[] {'{', '}'});
      }
      default -> throw notAllowed(request);
    }
  }

  private static void json(HttpServletResponse response, byte[] body) throws IOException {
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private void file(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!request.getMethod().equals("GET")) {
      throw notAllowed(request);
    }
    long generation = number("generation", required(request, "generation"));
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

  private static ApiException notAllowed(HttpServletRequest request) {
    return new ApiException(
        405, "method_not_allowed_exception", request.getMethod() + " is not allowed here");
  }

  private static String required(HttpServletRequest request, String name) {
    String value = request.getParameter(name);
    if (value == null || value.isEmpty()) {
      throw new ApiException(ErrorBody.illegalArgument("parameter [" + name + "] is missing"));
    }
    return value;
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
