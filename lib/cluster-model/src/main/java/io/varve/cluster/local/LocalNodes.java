package io.varve.cluster.local;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes of this process by their address. A node is listed from the time its server listens
 * until it closes, and only if {@code varve.one-process} is set; nodes with another published
 * address, for example that of a proxy, are called at that address.
 */
public final class LocalNodes {

  /**
   * Nodes in one process have no references to each other, so there is one list for the process.
   */
  public static final LocalNodes OF_THIS_PROCESS = new LocalNodes();

  /** A request to a node of this process. */
  public record Call(LocalNode node, String target) {}

  private final Map<String, LocalNode> byAddress = new ConcurrentHashMap<>();

  /**
   * @param url {@code http://host:port}
   */
  public void add(String url, LocalNode node) {
    byAddress.put(url, node);
  }

  public void remove(LocalNode node) {
    byAddress.values().removeIf(node::equals);
  }

  /**
   * @param url complete, with path and query
   * @return empty if the node is in another process
   */
  public Optional<Call> find(String url) {
    int host = url.indexOf("//") + 2;
    int path = url.indexOf('/', host);
    if (path < 0 || byAddress.isEmpty()) {
      return Optional.empty();
    }
    LocalNode node = byAddress.get(url.substring(0, path));
    return node == null ? Optional.empty() : Optional.of(new Call(node, url.substring(path)));
  }
}
