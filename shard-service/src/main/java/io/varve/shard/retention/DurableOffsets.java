package io.varve.shard.retention;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.NodeAnswers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests from the other copies of a shard the offset up to which their last commit contains the
 * log. The offset is unknown if the node does not answer, has another copy of the shard, or does
 * not know the endpoint.
 */
final class DurableOffsets {

  /**
   * The answer of a copy.
   *
   * @param nextOffset the first offset that it would replay after a restart, or {@link
   *     LogNeeds#UNKNOWN}
   */
  public record Answer(String copyId, long nextOffset) {}

  private static final Logger LOG = LoggerFactory.getLogger(DurableOffsets.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final CopyContext context;

  DurableOffsets(CopyContext context) {
    this.context = context;
  }

  /**
   * The first offset that the copy would replay after a restart; blocks for some seconds at most.
   */
  long of(CopyRouting copy) throws InterruptedException {
    String nodeId = copy.nodeId();
    NodeInfo node = nodeId == null ? null : context.node().cluster().current().nodes().get(nodeId);
    if (node == null) {
      return LogNeeds.UNKNOWN;
    }
    try {
      Answer answer = ask(node);
      return answer.copyId().equals(copy.copyId()) ? answer.nextOffset() : LogNeeds.UNKNOWN;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} the durable offset of {} is unknown: {}", context.shard(), copy, e.toString());
      return LogNeeds.UNKNOWN;
    }
  }

  private Answer ask(NodeInfo node) throws IOException, InterruptedException {
    ShardId shard = context.shard();
    URI uri =
        URI.create(
            "%s/_internal/shards/%s/%d/durable"
                .formatted(node.url(), shard.indexUuid(), shard.number()));
    return NodeAnswers.json(
        context.node().http(),
        HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN).GET().build(),
        Answer.class);
  }
}
