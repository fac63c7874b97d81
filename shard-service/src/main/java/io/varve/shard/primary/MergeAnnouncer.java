package io.varve.shard.primary;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.MergedSegment;
import io.varve.host.CopyContext;
import io.varve.host.NodeAnswers;
import io.varve.host.NodeLimits;
import io.varve.store.PeerWait;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces a merged segment to a replica, and polls until the replica has it. Each answer contains
 * the number of missing bytes. Polling ends for a replica that makes no progress for some seconds.
 */
final class MergeAnnouncer {

  private static final Logger LOG = LoggerFactory.getLogger(MergeAnnouncer.class);
  private static final long WAIT_MILLIS = 1_000;

  private final CopyContext context;
  private final NodeLimits limits;
  private final BooleanSupplier closed;

  MergeAnnouncer(CopyContext context, BooleanSupplier closed) {
    this.context = context;
    this.limits = context.node().settings().limits();
    this.closed = closed;
  }

  /** Blocks; returns whether the copy has the whole segment. Returns false on any failure. */
  boolean announce(MergedSegment segment, CopyRouting copy, long timeoutMillis) {
    PeerWait patience =
        new PeerWait(
            new PeerWait.Limits(
                Math.min(limits.mergeProgress().toMillis(), timeoutMillis), timeoutMillis),
            now());
    byte[] body = Json.write(segment);
    try {
      while (!closed.getAsBoolean() && patience.leftMillis(now()) > 0) {
        long waitMillis = Math.min(WAIT_MILLIS, patience.leftMillis(now()));
        MergedSegment.Answer answer = ask(segment, copy, body, waitMillis);
        switch (answer.state()) {
          case ARRIVED -> {
            return true;
          }
          case REFUSED -> {
            return false;
          }
          case UNDER_WAY -> patience.lacks(answer.missingBytes(), now());
        }
      }
    } catch (IOException | MalformedRecordException e) {
      LOG.info(
          "{}: copy {} did not fetch a merged segment: {}",
          segment.shard(),
          copy.copyId(),
          e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private MergedSegment.Answer ask(
      MergedSegment segment, CopyRouting copy, byte[] body, long waitMillis)
      throws IOException, InterruptedException {
    return NodeAnswers.json(
        context.node().http(),
        HttpRequest.newBuilder(address(segment, copy, "?wait_millis=" + waitMillis))
            .timeout(Duration.ofMillis(waitMillis).plus(limits.answers().merged()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        MergedSegment.Answer.class);
  }

  /**
   * Announces that no manifest will name the segment. The answer is not awaited: replicas that do
   * not receive the call delete the segment after some time.
   */
  void over(MergedSegment segment, CopyRouting copy) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(address(segment, copy, "/" + segment.id()))
              .timeout(limits.answers().merged())
              .DELETE()
              .build();
      var _ =
          context
              .node()
              .http()
              .sendAsync(request, HttpResponse.BodyHandlers.discarding())
              .whenComplete((_, failure) -> {
                if (failure != null) {
                  LOG.debug("{} {}", request.uri(), failure.toString());
                }
              });
    } catch (IOException e) {
      LOG.debug("{} could not be notified: {}", copy.copyId(), e.toString());
    }
  }

  private URI address(MergedSegment segment, CopyRouting copy, String rest) throws IOException {
    NodeInfo node = context.node().cluster().current().nodes().get(copy.nodeId());
    if (node == null) {
      throw new IOException("the copy's node is not in the cluster");
    }
    return URI.create(
        "%s/_internal/shards/%s/%d/merged%s"
            .formatted(node.url(), segment.shard().indexUuid(), segment.shard().number(), rest));
  }

  private long now() {
    return context.node().clock().millis();
  }
}
