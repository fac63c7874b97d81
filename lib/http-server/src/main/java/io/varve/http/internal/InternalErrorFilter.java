package io.varve.http.internal;

import io.varve.rpc.ErrorBody;
import java.io.IOException;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Converts every failure to a response, see {@link InternalFailures}. An {@link IOException} has no
 * response, unless the client was too slow: the connection is broken.
 */
final class InternalErrorFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    try {
      return next.handle(request);
    } catch (IOException e) {
      return failed(call, InternalFailures.ofSlowClient(e).orElseThrow(() -> e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(call, InternalFailures.error(e, line(call)));
    } catch (StackOverflowError | RuntimeException e) {
      return failed(call, InternalFailures.error(e, line(call)));
    }
  }

  private static InternalResponse failed(InternalCall call, ErrorBody error) throws IOException {
    Bodies.sendError(call.response(), error);
    return call.written();
  }

  private static String line(InternalCall call) {
    return call.request().getMethod() + " " + call.request().getRequestURI();
  }
}
