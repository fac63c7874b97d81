package io.varve.http;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Records what each request waits for, for {@link ConnectionWatch}. When the server stops, it
 * closes each connection after the current answer.
 */
final class PacedHandler extends Handler.Wrapper {

  private final ConnectionWatch watch;

  PacedHandler(ConnectionWatch watch, Handler handler) {
    super(handler);
    this.watch = watch;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    WatchedConnection watched = watch.of(connection);
    if (watched == null) {
      return super.handle(request, response, callback);
    }
    Exchange exchange = new Exchange(request::fail);
    watched.begin(exchange);
    Request.addCompletionListener(
        request, _ -> watched.end(exchange, watch.nowNanos(), connection.getBytesIn()));
    Request paced = new PacedRequest(request, exchange);
    return super.handle(paced, new PacedResponse(paced, response, exchange), callback);
  }

  /** The server's own idle timeout also ends an exchange. */
  private void countTimeout(Exchange exchange, Throwable failure, Verdict verdict) {
    if (failure instanceof TimeoutException
        && !(failure instanceof SlowClientException)
        && exchange.timeOut()) {
      watch.counts().end(verdict);
    }
  }

  private final class PacedRequest extends Request.Wrapper {

    private final Exchange exchange;

    PacedRequest(Request request, Exchange exchange) {
      super(request);
      this.exchange = exchange;
    }

    @Override
    public void demand(Runnable available) {
      exchange.awaitsBody(watch.nowNanos());
      // Keeps the invocation type: a non-blocking task runs without a thread of its own.
      super.demand(
          Invocable.from(
              Invocable.getInvocationType(available),
              () -> {
                exchange.bodyCame(watch.nowNanos());
                available.run();
              }));
    }

    @Override
    public Content.Chunk read() {
      Content.Chunk chunk = super.read();
      if (Content.Chunk.isFailure(chunk)) {
        countTimeout(exchange, chunk.getFailure(), Verdict.BODY);
      } else if (chunk != null) {
        exchange.read(chunk.remaining());
      }
      return chunk;
    }
  }

  private final class PacedResponse extends Response.Wrapper {

    private final Exchange exchange;

    PacedResponse(Request request, Response response, Exchange exchange) {
      super(request, response);
      this.exchange = exchange;
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      exchange.sends(content == null ? 0 : content.remaining(), watch.nowNanos());
      if (watch.endsWaiting() && !isCommitted()) {
        getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
      }
      super.write(
          last,
          content,
          new Callback.Nested(callback) {
            @Override
            public void completed() {
              exchange.sent(watch.nowNanos());
            }

            @Override
            public void failed(Throwable failure) {
              countTimeout(exchange, failure, Verdict.ANSWER);
              super.failed(failure);
            }
          });
    }
  }
}
