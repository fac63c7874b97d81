package io.varve.client;

import io.varve.cluster.NodeInfo;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the statistics of several nodes in parallel. */
public final class NodeReader {

  /** Asks one node; fails as {@link ShardClient} does. */
  @FunctionalInterface
  public interface Client {
    NodeDetails details(NodeInfo node, Duration timeout) throws InterruptedException;
  }

  /** The answer of a node; exactly one of {@code details} and {@code failure} is set. */
  public record Answer(NodeInfo node, @Nullable NodeDetails details, @Nullable ErrorBody failure) {}

  private final Client client;
  private final Parallel parallel;

  public NodeReader(Client client, Parallel parallel) {
    this.client = client;
    this.parallel = parallel;
  }

  /** Answers in the order of the nodes. */
  public List<Answer> read(List<NodeInfo> nodes, Duration timeout) throws InterruptedException {
    return parallel.map(nodes, node -> ask(node, timeout));
  }

  private Answer ask(NodeInfo node, Duration timeout) throws InterruptedException {
    try {
      return new Answer(node, client.details(node, timeout), null);
    } catch (ApiException e) {
      return new Answer(node, null, e.error());
    } catch (ShardClient.UnreachableException e) {
      return new Answer(
          node, null, ErrorBody.of(503, "connect_transport_exception", String.valueOf(e)));
    }
  }
}
