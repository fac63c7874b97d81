package io.varve.host.http;

import io.varve.events.Manifest;
import io.varve.events.SnapshotId;
import io.varve.host.ShardCopy;
import io.varve.host.SnapshotSource;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints from which other nodes copy segments. {@code GET} and {@code DELETE
 * /snapshots/{term.generation}?copy=} take and release a lease; the response names the folder of
 * the files. A copy that is still fetching the snapshot responds with 202 and the number of missing
 * bytes, after at most {@code wait_millis}. {@code GET /files/{name}?snapshot=} returns a file of a
 * held snapshot, completely or by range; {@code GET /bundle/{term.generation}?names=} returns
 * several complete files in sequence, and needs no lease. A name is looked up among the snapshot's
 * files and is never used as a path. Files that compress well are sent as zstd to clients that
 * accept it; ranges refer to the uncompressed file.
 *
 * <p>Files of a merged segment that no manifest names yet are read with {@code merge=} in place of
 * {@code snapshot=}.
 */
public final class SnapshotEndpoints implements ShardEndpoints {

  /** The response header that names the folder of the files on the machine of the node. */
  public static final String FOLDER = "Varve-Folder";

  private static final long MAX_WAIT_MILLIS = 10_000;

  @Override
  public Map<String, ShardEndpoint> byName() {
    return Map.of(
        "GET snapshots",
        this::lease,
        "DELETE snapshots",
        this::release,
        "GET files",
        this::file,
        "GET bundle",
        this::bundle);
  }

  private void lease(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long waitMillis = Math.clamp(Bodies.longOr(request, "wait_millis", 0), 0, MAX_WAIT_MILLIS);
    SnapshotSource.Lease lease =
        source(copy).lease(SnapshotId.parse(rest), Bodies.required(request, "copy"), waitMillis);
    switch (lease) {
      case SnapshotSource.Lease.Held(Manifest manifest) -> {
        response.setHeader(FOLDER, folder(source(copy), manifest));
        Bodies.sendJson(response, manifest);
      }
      case SnapshotSource.Lease.OnItsWay(long missingBytes) -> {
        byte[] body = Long.toString(missingBytes).getBytes(StandardCharsets.US_ASCII);
        response.setStatus(HttpServletResponse.SC_ACCEPTED);
        response.setContentType("text/plain");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
      }
    }
  }

  /** The folder of the files, for callers on the same machine. */
  private static @Nullable String folder(SnapshotSource source, Manifest manifest) {
    return manifest.files().isEmpty()
        ? null
        : URLEncoder.encode(
            String.valueOf(
                source
                    .file(SnapshotId.of(manifest), manifest.files().getFirst().name())
                    .path()
                    .toAbsolutePath()
                    .getParent()),
            StandardCharsets.UTF_8);
  }

  private void release(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    source(copy).release(SnapshotId.parse(rest), Bodies.required(request, "copy"));
    Bodies.sendJson(response, Map.of());
  }

  private void file(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String merge = request.getParameter("merge");
    SnapshotId id = SnapshotId.parse(merge == null ? Bodies.required(request, "snapshot") : merge);
    SnapshotSource source = source(copy);
    SnapshotSource.HeldFile held = merge == null ? source.file(id, rest) : source.merged(id, rest);
    long began = System.nanoTime();
    // Once the file is open, its bytes stay readable even if the lease ends.
    try (FileChannel channel = FileChannel.open(held.path(), StandardOpenOption.READ)) {
      long length = held.file().lengthBytes();
      response.setHeader("ETag", "\"" + held.file().checksum() + "\"");
      response.setHeader("Accept-Ranges", "bytes");
      response.setContentType("application/octet-stream");
      Wire wire = new Wire(source.sent(), request, response);
      long sent =
          switch (ByteRange.parse(request.getHeader("Range"), length)) {
            case ByteRange.Whole _ -> wire.send(List.of(new Wire.Part(channel, 0, length)));
            case ByteRange.Part(long from, long to) -> {
              response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
              response.setHeader("Content-Range", "bytes " + from + "-" + to + "/" + length);
              yield wire.send(List.of(new Wire.Part(channel, from, to - from + 1)));
            }
            case ByteRange.Unsatisfiable _ -> {
              response.setStatus(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
              response.setHeader("Content-Range", "bytes */" + length);
              response.setContentLength(0);
              yield 0;
            }
          };
      if (merge != null) {
        source.sent().addAhead(sent, System.nanoTime() - began);
      }
    } catch (NoSuchFileException e) {
      throw gone(copy, "file " + rest + " of snapshot " + id + " is gone");
    }
  }

  private void bundle(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    SnapshotId id = SnapshotId.parse(rest);
    SnapshotSource source = source(copy);
    List<Wire.Part> parts = new ArrayList<>();
    try {
      for (String name : Bodies.required(request, "names").split(",", -1)) {
        SnapshotSource.HeldFile held = source.file(id, name);
        FileChannel channel = FileChannel.open(held.path(), StandardOpenOption.READ);
        parts.add(new Wire.Part(channel, 0, held.file().lengthBytes()));
      }
      response.setContentType("application/octet-stream");
      new Wire(source.sent(), request, response).send(parts);
    } catch (NoSuchFileException e) {
      throw gone(copy, "a file of snapshot " + id + " is gone");
    } finally {
      for (Wire.Part part : parts) {
        part.channel().close();
      }
    }
  }

  private SnapshotSource source(ShardCopy copy) {
    return copy.snapshots()
        .orElseThrow(() -> gone(copy, "copy " + copy.copyId() + " has no snapshots"));
  }

  private static ApiException gone(ShardCopy copy, String reason) {
    return new ApiException(
        ErrorBody.of(410, "snapshot_gone_exception", reason)
            .with("shard", copy.shard().number())
            .with("index_uuid", copy.shard().indexUuid()));
  }
}
