package io.varve.client;

import io.varve.cluster.ClusterSecret;
import io.varve.cluster.local.LocalNode;
import io.varve.cluster.local.LocalNodes;
import io.varve.rpc.SearchCallHeaders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.apache.hc.core5.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Calls to nodes in the same process. Each call runs on its own thread, so that its caller can stop
 * waiting as for a call over HTTP: by a timeout, an abort or an interrupt, while the node
 * continues.
 */
final class LocalCalls {

  private static final byte[] NO_BODY = {};

  private final LocalNodes nodes;
  private final @Nullable ClusterSecret secret;

  LocalCalls(LocalNodes nodes, @Nullable ClusterSecret secret) {
    this.nodes = nodes;
    this.secret = secret;
  }

  /**
   * Returns the answer; empty, without any effect, if the node is in another process or has no such
   * endpoint.
   *
   * @param reader of the body of an answer with status 200, which it receives on the thread of the
   *     node; null to collect the body
   */
  Optional<NodeHttp.Answer> send(
      NodeRequest request, Abort abort, NodeHttp.@Nullable BodyReader reader)
      throws IOException, InterruptedException {
    Optional<LocalNodes.Call> found = nodes.find(request.url());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    LocalNode node = found.get().node();
    LocalNode.Request call = call(request, found.get().target());
    if (!node.serves(call)) {
      return Optional.empty();
    }
    CompletableFuture<LocalNode.Answer> answer = new CompletableFuture<>();
    abort.endsBy(() ->
        answer.completeExceptionally(new NodeHttp.AbortedException(new IOException("aborted"))));
    Thread.ofVirtual().name("local-call").start(() -> run(node, call, reader, answer));
    return Optional.of(await(request, answer));
  }

  private static void run(
      LocalNode node,
      LocalNode.Request call,
      NodeHttp.@Nullable BodyReader reader,
      CompletableFuture<LocalNode.Answer> answer) {
    try {
      answer.complete(reader == null ? node.handle(call) : handle(node, call, reader));
    } catch (IOException | RuntimeException e) {
      answer.completeExceptionally(e);
    } catch (Error e) {
      answer.completeExceptionally(e);
      throw e;
    }
  }

  private static LocalNode.Answer handle(
      LocalNode node, LocalNode.Request call, NodeHttp.BodyReader reader) throws IOException {
    LocalNode.Answer answer = node.handle(call, piece -> reader.arrived(piece, piece.length));
    if (answer.status() != HttpStatus.SC_OK) {
      return answer;
    }
    reader.arrived(answer.body(), answer.body().length);
    return new LocalNode.Answer(answer.status(), answer.headers(), NO_BODY);
  }

  private static NodeHttp.Answer await(
      NodeRequest request, CompletableFuture<LocalNode.Answer> answer)
      throws IOException, InterruptedException {
    try {
      LocalNode.Answer got = answer.get(request.timeout().toNanos(), TimeUnit.NANOSECONDS);
      return new NodeHttp.Answer(
          got.status(),
          body(got.body(), request.largeArrays()),
          got.headers().get(SearchCallHeaders.LOAD));
    } catch (TimeoutException e) {
      throw new NodeHttp.LateException(request.timeout(), new IOException(e));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  private static byte[] body(byte[] body, IntFunction<byte[]> largeArrays) {
    if (body.length < NodeHttp.LARGE_BYTES) {
      return body;
    }
    byte[] counted = largeArrays.apply(body.length);
    System.arraycopy(body, 0, counted, 0, body.length);
    return counted;
  }

  private LocalNode.Request call(NodeRequest request, String target) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    request.headers().forEach(header -> headers.add(Map.entry(header.name(), header.value())));
    if (secret != null) {
      headers.add(Map.entry(ClusterSecret.HEADER, secret.header()));
    }
    byte[] body = request.body();
    return new LocalNode.Request(request.method(), target, headers, body == null ? NO_BODY : body);
  }
}
