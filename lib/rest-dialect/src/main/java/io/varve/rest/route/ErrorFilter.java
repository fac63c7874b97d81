package io.varve.rest.route;

import io.varve.process.FatalErrors;
import io.varve.rest.JsonErrors;
import io.varve.rest.RestResponder;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import tools.jackson.core.JacksonException;

/**
 * Converts every failure to a response. An unexpected one is logged and answered with 500. An
 * {@link java.io.IOException} has no response: the connection is broken.
 */
final class ErrorFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorFilter.class);

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    try {
      return next.handle(request);
    } catch (ApiException e) {
      return failed(call, e, e.error());
    } catch (JacksonException e) {
      return failed(call, e, JsonErrors.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(call, e, ErrorBody.of(503, "node_closed_exception", "node is closing"));
    } catch (StackOverflowError e) {
      // Its stack trace would be a thousand repeated lines.
      LOG.warn("{} {} is nested too deeply", call.http().getMethod(), call.http().getRequestURI());
      call.wantStackTrace(false);
      return failed(call, e, ErrorBody.illegalArgument("The request is nested too deeply"));
    } catch (Error e) {
      FatalErrors.endOn(e);
      throw e;
    } catch (RuntimeException e) {
      FatalErrors.endOn(e);
      LOG.error("{} {} failed", call.http().getMethod(), call.http().getRequestURI(), e);
      return failed(call, e, unexpected(e));
    }
  }

  private static RestResponse failed(RestCall call, Throwable failure, ErrorBody error) {
    RestResponder responder = call.errors();
    StringWriter stack = new StringWriter();
    if (call.stackTraceWanted()) {
      failure.printStackTrace(new PrintWriter(stack));
    }
    responder.json(
        error.status(), call.failure(error, call.stackTraceWanted() ? stack.toString() : null));
    return new RestResponse(responder);
  }

  /**
   * The type as OpenSearch writes it: {@code IllegalStateException} becomes
   * illegal_state_exception.
   */
  private static ErrorBody unexpected(Throwable failure) {
    String type = failure.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
    String message = failure.getMessage();
    return ErrorBody.of(
        500, type.toLowerCase(Locale.ROOT), message == null ? "no message" : message);
  }
}
