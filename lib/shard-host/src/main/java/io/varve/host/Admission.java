package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Before a replica of a strongly consistent index starts, the primary admits it: from then on, the
 * primary returns only what this copy holds too, and names the seq_no up to which the copy must
 * hold everything first. So a record that was read is never missing on a started copy.
 *
 * <p>While no other copy serves, there is nobody to ask: a replica starts so that it can be
 * promoted. The leader refuses its report if another copy started meanwhile.
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
    ClusterState state = node.cluster().current();
    Optional<ShardRouting> routing = state.shard(shard);
    boolean asks =
        routing.isPresent()
            && routing.get().everywhere().stream()
                .filter(c -> c.copyId().equals(copy.copyId()))
                .noneMatch(CopyRouting::searchOnly);
    String primaryNode = routing.map(ShardRouting::primary).map(CopyRouting::nodeId).orElse(null);
    if (!asks || !state.othersServe(routing.orElseThrow(), copy.copyId())) {
      return new Outcome(true, NOT_NEEDED);
    }
    NodeInfo primary = primaryNode == null ? null : state.nodes().get(primaryNode);
    if (primary == null) {
      return new Outcome(false, null);
    }
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
    HttpResponse<byte[]> answer =
        node.http()
            .send(
                HttpRequest.newBuilder(uri)
                    .timeout(timeout)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException("the primary answered " + answer.statusCode());
    }
    return Json.read(answer.body(), Answer.class);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
