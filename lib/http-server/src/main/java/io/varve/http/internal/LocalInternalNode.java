package io.varve.http.internal;

import io.varve.cluster.local.LocalNode;
import java.io.IOException;
import java.util.function.Consumer;

/** Calls the internal routes of a node without HTTP, through the same filters. */
final class LocalInternalNode implements LocalNode {

  private final InternalRoutes routes;

  LocalInternalNode(InternalRoutes routes) {
    this.routes = routes;
  }

  @Override
  public boolean serves(Request request) {
    return routes.has(request.method(), request.path());
  }

  @Override
  public Answer handle(Request request) throws IOException {
    return handle(new LocalExchange(request, null));
  }

  @Override
  public Answer handle(Request request, Consumer<byte[]> flushed) throws IOException {
    return handle(new LocalExchange(request, flushed));
  }

  private Answer handle(LocalExchange exchange) throws IOException {
    InternalCall call = new InternalCall(exchange.request(), exchange.response());
    try {
      routes.route(call).orElseThrow().handle(call);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    return exchange.answer();
  }
}
