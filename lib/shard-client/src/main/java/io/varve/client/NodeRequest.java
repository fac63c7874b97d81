package io.varve.client;

import io.varve.cluster.NodeInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One request to a node.
 *
 * @param method of HTTP
 * @param url complete, with its query
 * @param headers in order
 * @param body null for none
 * @param timeout from connecting to the last byte of the answer, converted by {@link
 *     Timeouts#ofUser}
 * @param largeArrays allocates the array for a large answer, or throws when the heap has no room;
 *     only for requests that change nothing, because it is called after the node has answered
 */
@SuppressWarnings("ArrayRecordComponent")
public record NodeRequest(
    String method,
    String url,
    List<Header> headers,
    byte @Nullable [] body,
    Duration timeout,
    IntFunction<byte[]> largeArrays) {

  private static final byte[] NOTHING = {};

  public record Header(String name, String value) {}

  public NodeRequest {
    headers = List.copyOf(headers);
    timeout = Timeouts.ofUser(timeout);
  }

  public NodeRequest(
      String method, String url, List<Header> headers, byte @Nullable [] body, Duration timeout) {
    this(method, url, headers, body, timeout, byte[]::new);
  }

  public static NodeRequest get(NodeInfo node, String path, Duration timeout) {
    return new NodeRequest("GET", node.url() + path, List.of(), null, timeout);
  }

  public static NodeRequest post(NodeInfo node, String path, Duration timeout) {
    return new NodeRequest("POST", node.url() + path, List.of(), NOTHING, timeout);
  }

  public static NodeRequest post(NodeInfo node, String path, byte[] body, Duration timeout) {
    return new NodeRequest("POST", node.url() + path, List.of(), body, timeout);
  }

  public NodeRequest header(String name, String value) {
    return headers(Map.of(name, value));
  }

  public NodeRequest headers(Map<String, String> added) {
    List<Header> more = new ArrayList<>(headers);
    added.forEach((name, value) -> more.add(new Header(name, value)));
    return new NodeRequest(method, url, more, body, timeout, largeArrays);
  }

  /** Returns this request with an answer that is read only if the heap has room for it. */
  public NodeRequest within(IntFunction<byte[]> newLargeArrays) {
    return new NodeRequest(method, url, headers, body, timeout, newLargeArrays);
  }
}
