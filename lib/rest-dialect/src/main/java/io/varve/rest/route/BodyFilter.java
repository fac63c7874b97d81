package io.varve.rest.route;

import io.varve.events.MalformedRecordException;
import io.varve.events.SessionToken;
import io.varve.http.route.RawPath;
import io.varve.rest.InFlightRequests;
import io.varve.rest.RequestBody;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Reads the body, which counts as in flight until the request ends. Rejects one that is too long
 * (413), does not fit into memory (429), arrives too slowly (408), or has a media type that the
 * endpoint does not read (406).
 */
final class BodyFilter implements HandlerFilterFunction<RestResponse, RestResponse> {

  private final long maxContentBytes;
  private final InFlightRequests inFlight;

  BodyFilter(long maxContentBytes, InFlightRequests inFlight) {
    this.maxContentBytes = maxContentBytes;
    this.inFlight = inFlight;
  }

  @Override
  public RestResponse filter(ServerRequest request, HandlerFunction<RestResponse> next)
      throws Exception {
    RestCall call = RestCall.of(request);
    try (InFlightRequests.Account held = inFlight.open()) {
      RequestBody body = RequestBody.read(call.http(), maxContentBytes, held);
      if (!body.isEmpty() && !body.isReadable(call.target().endpoint().readsLines())) {
        return unreadable(call);
      }
      call.request(request(call, body.asJson(held)));
      return next.handle(request);
    }
  }

  private static RestResponse unreadable(RestCall call) {
    String header = call.http().getContentType();
    return SimpleErrors.answer(
        call,
        406,
        header == null
            ? "Content-Type header is missing"
            : "Content-Type header [" + header + "] is not supported");
  }

  private static RestRequest request(RestCall call, RequestBody json) {
    HttpServletRequest http = call.http();
    return new RestRequest(
        call.target().method(),
        RawPath.of(http),
        call.parameters(),
        json,
        http.getHeader("Accept"),
        session(http.getHeader(RestRequest.SESSION)));
  }

  private static SessionToken session(@Nullable String header) {
    try {
      return header == null ? SessionToken.NONE : SessionToken.parse(header.strip());
    } catch (MalformedRecordException e) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "the header [" + RestRequest.SESSION + "] is no token: " + e.getMessage()));
    }
  }
}
