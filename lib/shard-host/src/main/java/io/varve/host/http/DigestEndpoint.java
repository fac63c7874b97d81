package io.varve.host.http;

import io.varve.engine.SearchableCopy;
import io.varve.host.ShardCopy;
import io.varve.http.internal.Bodies;
import io.varve.rpc.DigestWire;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * {@code POST digest}: a primary asks for the digests of the documents below a seq_no. The copy
 * answers once it holds everything below it, or with what it holds when the time is over.
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
}
