package io.varve.host;

import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Before a replica of a strongly consistent index starts, the primary admits it. From then on, the
 * primary returns only records that this copy also holds. The answer names the seq_no up to which
 * the copy must hold everything before it starts. A record that was read is therefore never missing
 * on a started copy.
 *
 * <p>INVARIANT: a copy asks for an admission after each time that it is opened. The primary learns
 * only from this that the copy may hold less than before, and ignores its earlier reports.
 *
 * <p>{@link AdmissionNeed} says which copies need one. The leader refuses a report without one if
 * another copy has started since.
 */
final class Admission {

  /** The term of a report of a copy that needed no admission. */
  static final @Nullable Long NOT_NEEDED = null;

  private record Answer(long term, long seqNo) {}

  private final NodeContext node;
  private final ShardId shard;

  Admission(NodeContext node, ShardId shard) {
    this.node = node;
    this.shard = shard;
  }

  /** The outcome: whether the copy may start, and the term of the primary that admitted it. */
  record Outcome(boolean mayStart, @Nullable Long term) {}

  Outcome of(ShardCopy copy, Duration timeout) throws IOException, InterruptedException {
    if (!copy.strong() || copy.primary()) {
      return new Outcome(true, NOT_NEEDED);
    }
    return switch (AdmissionNeed.of(node.cluster().current(), shard, copy.copyId())) {
      case AdmissionNeed.None _ -> new Outcome(true, NOT_NEEDED);
      case AdmissionNeed.Unreachable _ -> new Outcome(false, null);
      case AdmissionNeed.Of(var primary) -> by(primary, copy, timeout);
    };
  }

  private Outcome by(NodeInfo primary, ShardCopy copy, Duration timeout)
      throws IOException, InterruptedException {
    Answer admitted = ask(primary, copy, timeout);
    boolean holds = copy.readable().await(admitted.seqNo(), timeout);
    return new Outcome(holds, admitted.term());
  }

  private Answer ask(NodeInfo primary, ShardCopy copy, Duration timeout)
      throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "%s/_internal/shards/%s/%d/admit?copy_id=%s&incarnation=%s"
                .formatted(
                    primary.url(),
                    shard.indexUuid(),
                    shard.number(),
                    encoded(copy.copyId()),
                    encoded(copy.incarnation())));
    return NodeAnswers.json(
        node.http(),
        HttpRequest.newBuilder(uri)
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build(),
        Answer.class);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
