package io.varve.host.http;

import io.varve.engine.FileReference;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.host.ShardCopy;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.CheckedFiles;
import io.varve.rpc.DigestWire;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The endpoints with which a primary compares this copy with itself. {@code POST digest} returns
 * the digests of the documents below a seq_no: the copy answers once it holds everything below it,
 * or, when the time is over, with the documents that it holds. {@code POST versions} returns the
 * documents of a range of seq_nos. With {@code POST check-files}, a copy that receives its segments
 * compares its files with the manifest that names them.
 */
final class DigestEndpoint {

  private DigestEndpoint() {}

  static void answer(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    CopyEndpoints.requireStarted(copy);
    long toSeqNo = Bodies.requiredLong(request, "to_seq_no");
    Duration wait = Duration.ofMillis(Bodies.requiredLong(request, "wait_millis"));
    copy.readable().await(toSeqNo - 1, wait);
    SearchableCopy searchable = CopyEndpoints.searchable(copy);
    // INVARIANT: both are taken before the documents are read, which then include them.
    long term = copy.term();
    long held = copy.readable().current();
    DigestWire.Answer answer =
        new DigestWire.Answer(
            copy.copyId(), copy.incarnation(), term, held, searchable.digests(toSeqNo));
    Bodies.send(response, DigestWire.CONTENT_TYPE, DigestWire.encode(answer));
  }

  static void versions(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    CopyEndpoints.requireStarted(copy);
    long held = copy.readable().current();
    List<HoldsWire.Version> versions =
        CopyEndpoints.searchable(copy)
            .between(
                Bodies.requiredLong(request, "from_seq_no"),
                Bodies.requiredLong(request, "to_seq_no"),
                _ -> true,
                Matching.ALL)
            .stream()
            .map(one -> HoldsWire.Version.of(one.id(), one.seqNo(), one.term()))
            .toList();
    Bodies.send(
        response,
        HoldsWire.CONTENT_TYPE,
        HoldsWire.encode(new HoldsWire.Question(held, 0, versions)));
  }

  static void checkFiles(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    CopyEndpoints.requireStarted(copy);
    if (!(CopyEndpoints.searchable(copy) instanceof SegmentEngine segments)) {
      throw new ApiException(
          ErrorBody.illegalArgument("this copy of " + copy.shard() + " writes its own segments"));
    }
    try (FileReference held = segments.holdShown()) {
      Manifest manifest = held.manifest();
      Bodies.sendJson(
          response,
          new CheckedFiles(
              copy.copyId(),
              copy.incarnation(),
              manifest.visibleSeqNo(),
              manifest.files().size(),
              held.differing()));
    }
  }
}
