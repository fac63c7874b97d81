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
 * @param url whole, with its query
 * @param headers in their order
 * @param body null for none
 * @param timeout for all of it, from connecting to the last byte of the answer, as {@link
 *     Timeouts#ofUser} takes it
 * @param largeArrays allocates the array of a large answer, and throws where the heap has no room;
 *     for requests that change nothing, since it is asked when the node has answered
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

  /** The same, whose answer is read only if there is room. */
  public NodeRequest within(IntFunction<byte[]> newLargeArrays) {
    return new NodeRequest(method, url, headers, body, timeout, newLargeArrays);
  }
}
