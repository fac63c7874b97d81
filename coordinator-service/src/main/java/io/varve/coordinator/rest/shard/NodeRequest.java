package io.varve.coordinator.rest.shard;

import io.varve.cluster.NodeInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 */
@SuppressWarnings("ArrayRecordComponent")
public record NodeRequest(
    String method, String url, List<Header> headers, byte @Nullable [] body, Duration timeout) {

  private static final byte[] NOTHING = {};

  public record Header(String name, String value) {}

  public NodeRequest {
    headers = List.copyOf(headers);
    timeout = Timeouts.ofUser(timeout);
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
    return new NodeRequest(method, url, more, body, timeout);
  }
}
