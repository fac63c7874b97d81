package io.varve.coordinator.rest.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Groups the parts of a bulk by the node of their primary, and cuts each group into requests of at
 * most {@code maxBytes}. Parts stay in order and are not divided: one that exceeds the limit is
 * alone in its request. With a limit of 0, each part is alone. Pure.
 *
 * @param <P> a part
 */
final class NodeRequests<P> {

  private final Function<P, String> node;
  private final ToLongFunction<P> bytes;

  /**
   * @param node the id of a part's node
   */
  NodeRequests(Function<P, String> node, ToLongFunction<P> bytes) {
    this.node = node;
    this.bytes = bytes;
  }

  /** A request to which parts can be added. */
  private static final class Growing<P> {
    final List<P> parts = new ArrayList<>();
    long bytes;
  }

  List<List<P>> of(List<P> parts, long maxBytes) {
    List<List<P>> requests = new ArrayList<>();
    Map<String, Growing<P>> growing = new HashMap<>();
    for (P part : parts) {
      long size = bytes.applyAsLong(part);
      Growing<P> request = growing.get(node.apply(part));
      if (request == null || request.bytes + size > maxBytes) {
        request = new Growing<>();
        growing.put(node.apply(part), request);
        requests.add(request.parts);
      }
      request.parts.add(part);
      request.bytes += size;
    }
    return requests;
  }
}
