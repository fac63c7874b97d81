package io.varve.control.allocation;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.events.ReaderVersion;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps segments on nodes that can read them while nodes of several versions are in the cluster. A
 * node writes segments of its own version and reads those of its own and of older versions ({@link
 * ReaderVersion}); a node that announces no version is older than all that do.
 *
 * <pre>
 *   primary, relocated      not older than the node that it leaves, whose segments it copies;
 *                           not newer than the node of a copy that reads its segments
 *   primary, unassigned     not newer than the node of an active copy that reads its segments;
 *                           a copy that is not active must not keep the shard red
 *   other copy              not older than the node of the primary, or of the primary's target
 * </pre>
 *
 * Search-only copies and, with the replication type SEGMENT, replicas read the primary's segments.
 * A DOCUMENT replica reads them at most once, when it is built, so only the last row applies to it.
 *
 * <p>A copy may remain where it is, because a primary that was restarted by a newer version has
 * already written segments that older nodes cannot read.
 */
final class NodeVersionDecider {

  private static final String NAME = "node_version";

  private NodeVersionDecider() {}

  static Verdict decide(Candidate place) {
    CopyRouting copy = place.copy();
    Optional<Verdict> objection =
        copy.primary() ? againstPrimary(place) : againstReader(place, place.shard().primary());
    return objection.orElseGet(() ->
        new Verdict(
            NAME,
            true,
            "the reader version ["
                + version(place.node())
                + "] of the node suits those of the nodes with the other copies"));
  }

  /**
   * Whether the primary's node is newer than the node of an active replica that reads its segments.
   */
  static boolean strands(Candidate primary, CopyRouting replica) {
    NodeInfo reader = primary.state().nodes().get(String.valueOf(replica.nodeId()));
    return readsSegments(primary, replica)
        && primary.state().active(replica)
        && reader != null
        && version(reader).isOlderThan(version(primary.node()));
  }

  private static Optional<Verdict> againstPrimary(Candidate place) {
    NodeInfo leaves = node(place, place.copy());
    if (leaves != null && version(place.node()).isOlderThan(version(leaves))) {
      return no(
          place,
          "is older than",
          leaves,
          "which the primary leaves: its segments could not be read here");
    }
    return place.shard().everywhere().stream()
        .filter(other -> !other.primary() && readsSegments(place, other))
        .filter(other -> !isTargetOf(place, other))
        .filter(other -> leaves != null || place.state().active(other))
        .flatMap(other -> Stream.ofNullable(node(place, other)))
        .filter(reader -> version(reader).isOlderThan(version(place.node())))
        .min(Comparator.comparing(NodeVersionDecider::version).thenComparing(NodeInfo::nodeId))
        .flatMap(reader ->
            no(
                place,
                "is newer than",
                reader,
                "which holds a copy that could not read the segments of a primary here"));
  }

  private static Optional<Verdict> againstReader(Candidate place, CopyRouting primary) {
    Stream<CopyRouting> writers =
        Stream.concat(
            Stream.of(primary),
            place.shard().relocationOf(primary.copyId()).map(moving -> moving.target()).stream());
    return writers
        .flatMap(writer -> Stream.ofNullable(node(place, writer)))
        .filter(writer -> version(place.node()).isOlderThan(version(writer)))
        .findFirst()
        .flatMap(writer ->
            no(
                place,
                "is older than",
                writer,
                "which holds the primary: its segments could not be read here"));
  }

  /**
   * Targets of relocations do not count as copies; the target of the primary will replace the
   * primary.
   */
  private static boolean isTargetOf(Candidate place, CopyRouting other) {
    return place
        .shard()
        .relocationOf(place.copy().copyId())
        .filter(moving -> moving.target().copyId().equals(other.copyId()))
        .isPresent();
  }

  private static boolean readsSegments(Candidate place, CopyRouting copy) {
    return copy.searchOnly() || !place.index().replicationType().equals(IndexMetadata.DOCUMENT);
  }

  /** The node of a copy, {@code null} if the copy is unassigned or its node has left. */
  private static @Nullable NodeInfo node(Candidate place, CopyRouting copy) {
    return copy.nodeId() == null ? null : place.state().nodes().get(copy.nodeId());
  }

  private static ReaderVersion version(NodeInfo node) {
    return node.readerVersion();
  }

  private static Optional<Verdict> no(
      Candidate place, String comparison, NodeInfo other, String consequence) {
    return Optional.of(
        new Verdict(
            NAME,
            false,
            "the reader version ["
                + version(place.node())
                + "] of the node "
                + comparison
                + " ["
                + version(other)
                + "] of the node ["
                + other.name()
                + "], "
                + consequence));
  }
}
