package io.varve.http.internal;

import io.varve.events.MalformedRecordException;
import io.varve.http.SlowClientException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Converts every failure to a response. An unexpected one is logged and answered with 500. An
 * {@link IOException} has no response, unless the client was too slow: the connection is broken.
 */
final class InternalErrorFilter
    implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private static final Logger LOG = LoggerFactory.getLogger(InternalErrorFilter.class);

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    try {
      return next.handle(request);
    } catch (ApiException e) {
      return failed(call, e.error());
    } catch (MalformedRecordException | IllegalArgumentException e) {
      return failed(call, ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      String slow = SlowClientException.reason(e).orElseThrow(() -> e);
      return failed(call, ErrorBody.of(408, "timeout_exception", slow));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(call, ErrorBody.of(503, "node_closed_exception", "the node is closing"));
    } catch (StackOverflowError e) {
      LOG.warn("{} is nested too deeply", line(call));
      return failed(call, ErrorBody.illegalArgument("The request is nested too deeply"));
    } catch (RuntimeException e) {
      LOG.error("{} failed", line(call), e);
      return failed(call, ErrorBody.of(500, "internal_server_error", e.toString()));
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
