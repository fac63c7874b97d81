package io.varve.shard.replicated;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node, which asks other copies of the shard over the internal endpoints. */
final class CopyQuestions implements TrackerContext {

  private static final Logger LOG = LoggerFactory.getLogger(CopyQuestions.class);

  private final CopyContext context;

  CopyQuestions(CopyContext context) {
    this.context = context;
  }

  @Override
  public ClusterState state() {
    return context.node().cluster().current();
  }

  @Override
  public AutoCloseable listen(Runnable changed) {
    return context.node().cluster().listen(_ -> changed.run());
  }

  @Override
  public void after(long millis, Runnable task) {
    try {
      var _ = context.node().timer().schedule(task, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} the node is closing", context.shard());
    }
  }

  @Override
  public void execute(Runnable task) {
    context.node().blocking().execute(task);
  }

  @Override
  public long nowMillis() {
    return context.node().clock().millis();
  }

  @Override
  public CompletableFuture<HoldsWire.Answer> ask(Member member, HoldsWire.Question question) {
    Optional<URI> uri = uri(context, member, "holds");
    if (uri.isEmpty()) {
      return CompletableFuture.failedFuture(new IOException(member + " is on no node"));
    }
    HttpRequest request =
        HttpRequest.newBuilder(uri.get())
            .timeout(Duration.ofMillis(question.waitMillis()).plus(grace()))
            .header("Content-Type", HoldsWire.CONTENT_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(HoldsWire.encode(question)))
            .build();
    return context
        .node()
        .http()
        .sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        .thenCompose(response -> answer(member, response));
  }

  private Duration grace() {
    return context.node().settings().limits().answers().holds();
  }

  /** The address of an endpoint of another copy; empty if that is on no node. */
  static Optional<URI> uri(CopyContext context, Member member, String path) {
    ShardId shard = context.shard();
    ClusterState state = context.node().cluster().current();
    return state
        .shard(shard)
        .map(ShardRouting::everywhere)
        .flatMap(
            copies -> copies.stream().filter(c -> c.copyId().equals(member.copyId())).findFirst())
        .map(CopyRouting::nodeId)
        .flatMap(state::node)
        .map(NodeInfo::url)
        .map(url ->
            URI.create(
                "%s/_internal/shards/%s/%d/%s"
                    .formatted(url, shard.indexUuid(), shard.number(), path)));
  }

  private static CompletableFuture<HoldsWire.Answer> answer(
      Member member, HttpResponse<byte[]> response) {
    return response.statusCode() == 200
        ? CompletableFuture.completedFuture(HoldsWire.decodeAnswer(response.body()))
        : CompletableFuture.failedFuture(
            failure(member, "holds", response.statusCode(), response.body()));
  }

  /** A copy did not answer with 200. A node without the copy has a 404 of its own type. */
  static IOException failure(Member member, String endpoint, int status, byte[] body) {
    ErrorBody error = ErrorBodies.read(status, body);
    return error.endpointIsMissing()
        ? new NoSuchEndpointException(member, endpoint)
        : new IOException(
            "copy %s answered %d to %s: %s"
                .formatted(member.copyId(), status, endpoint, error.reason()));
  }
}
