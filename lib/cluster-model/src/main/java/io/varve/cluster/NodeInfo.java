package io.varve.cluster;

import io.varve.events.ReaderVersion;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A member of the cluster.
 *
 * @param nodeId kept in the node's data folder
 * @param incarnation new at every start of the process
 * @param attributes configured by the operator, such as a zone or a kind of disk
 * @param roles of {@link #COORDINATOR}, {@link #PRIMARY}, {@link #REPLICA}, {@link #SEARCH}, {@link
 *     #CCR}
 */
public record NodeInfo(
    String nodeId,
    String name,
    String incarnation,
    Set<String> roles,
    String url,
    Map<String, String> attributes) {

  public static final String COORDINATOR = "coordinator";
  public static final String PRIMARY = "primary";
  public static final String REPLICA = "replica";
  public static final String SEARCH = "search";
  public static final String CCR = "ccr";

  /** Attribute that names the segment store that the node can reach. */
  public static final String STORE_ATTRIBUTE = "remote_store.segment.repository";

  /** Attribute with the reason for which the node cannot read and write zstd segments. */
  public static final String WITHOUT_ZSTD_ATTRIBUTE = "without_zstd";

  /** Attribute with the newest segment format that the node reads. */
  public static final String READER_VERSION_ATTRIBUTE = "reader_version";

  public NodeInfo {
    // Sorted, so that equal nodes have equal JSON.
    roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    attributes =
        Collections.unmodifiableSortedMap(
            new TreeMap<>(attributes == null ? Map.of() : attributes));
  }

  /** A node without attributes. */
  public NodeInfo(String nodeId, String name, String incarnation, Set<String> roles, String url) {
    this(nodeId, name, incarnation, roles, url, Map.of());
  }

  public boolean has(String role) {
    return roles.contains(role);
  }

  /** The newest segment format that the node reads; unknown for nodes of older releases. */
  public ReaderVersion readerVersion() {
    return ReaderVersion.announced(attributes.get(READER_VERSION_ATTRIBUTE));
  }

  public boolean holdsCopies() {
    return has(PRIMARY) || has(REPLICA) || has(SEARCH);
  }
}
