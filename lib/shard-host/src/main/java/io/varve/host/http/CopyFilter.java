package io.varve.host.http;

import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.ShardCopy;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalResponse;
import io.varve.rpc.ApiException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * Finds the copy of the shard that the path names; 404 if the node has none. A {@code GET} with
 * {@code wait_millis} waits that long for a copy that is not open yet. For a copy of a closed
 * index, the filter itself responds if the endpoint has a response for closed indices.
 */
final class CopyFilter implements HandlerFilterFunction<InternalResponse, InternalResponse> {

  private static final String COPY = ShardCopy.class.getName();
  private static final long MAX_WAIT_MILLIS = 10_000;
  private static final int MAX_DIGITS = 9;

  private final HostedCopies copies;
  private final BiFunction<ShardId, String, Optional<Object>> resting;

  CopyFilter(HostedCopies copies, BiFunction<ShardId, String, Optional<Object>> resting) {
    this.copies = copies;
    this.resting = resting;
  }

  /** The copy of the request. */
  static ShardCopy copy(InternalCall call) {
    return (ShardCopy) Objects.requireNonNull(call.request().getAttribute(COPY), "no copy");
  }

  @Override
  public InternalResponse filter(ServerRequest request, HandlerFunction<InternalResponse> next)
      throws Exception {
    InternalCall call = InternalCall.of(request);
    ShardId shard = shard(call);
    HttpServletRequest http = call.request();
    boolean get = http.getMethod().equals("GET");
    Optional<Object> rested =
        get && copies.copy(shard).isEmpty() ? resting.apply(shard, call.name()) : Optional.empty();
    if (rested.isPresent()) {
      Bodies.sendJson(call.response(), rested.get());
      return call.written();
    }
    long waitMillis =
        get ? Math.clamp(Bodies.longOr(http, "wait_millis", 0), 0, MAX_WAIT_MILLIS) : 0;
    http.setAttribute(COPY, required(shard, copies.await(shard, waitMillis)));
    return next.handle(request);
  }

  static ShardCopy required(ShardId shard, Optional<ShardCopy> copy) {
    return copy.orElseThrow(() ->
        new ApiException(
            404, "shard_not_found_exception", "no copy of " + shard + " on this node"));
  }

  private static ShardId shard(InternalCall call) {
    String number = call.requiredVariable("number");
    if (number.length() > MAX_DIGITS || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new ApiException(
          404, "resource_not_found_exception", "[" + number + "] is not the number of a shard");
    }
    return new ShardId(call.requiredVariable("index"), Integer.parseInt(number));
  }
}
