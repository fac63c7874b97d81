package io.varve.cluster;

import io.varve.cluster.Setting.Change;
import io.varve.cluster.SettingKind.Given;
import io.varve.rpc.ErrorBody;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that concern more than the value of one setting: contradictions between settings of an
 * index, and changes of settings that can't be changed.
 *
 * <pre>
 *   may change          open index   closed index
 *   DYNAMIC             yes          yes
 *   STATIC              no           yes
 *   FINAL               no           no
 *   set by the system   no           no, and not at creation either
 * </pre>
 */
public final class IndexSettingRules {

  private IndexSettingRules() {}

  /** The reason for which these settings of an index contradict each other, if any. */
  public static Optional<ErrorBody> contradiction(Map<String, String> settings) {
    return tooManyWaitedFor(settings)
        .or(() -> storedButNotCopied(settings))
        .or(() -> searchedButNotCopied(settings))
        .or(() -> searchedByNobody(settings))
        .or(() -> unreachableInSync(settings))
        .or(() -> unevenRouting(settings))
        .or(() -> levelWithoutLevels(settings));
  }

  /** The reason for which the data nodes can't hold an index with these settings, if any. */
  public static Optional<ErrorBody> unknownToNodes(
      Collection<NodeInfo> nodes, Map<String, String> settings) {
    String codec = IndexSettings.value(settings, IndexSettings.CODEC);
    return codec.startsWith("zstd")
        ? nodes.stream()
            .filter(node -> node.attributes().containsKey(NodeInfo.WITHOUT_ZSTD_ATTRIBUTE))
            .findFirst()
            .map(node ->
                ErrorBody.illegalArgument(
                    "index.codec can't be ["
                        + codec
                        + "] while node ["
                        + node.name()
                        + "] is in the cluster: "
                        + node.attributes().get(NodeInfo.WITHOUT_ZSTD_ATTRIBUTE)))
        : Optional.empty();
  }

  private static Optional<ErrorBody> levelWithoutLevels(Map<String, String> settings) {
    String codec = IndexSettings.value(settings, IndexSettings.CODEC);
    return settings.get(IndexSettings.COMPRESSION_LEVEL) != null && !codec.startsWith("zstd")
        ? Optional.of(
            ErrorBody.illegalArgument(
                "Compression level cannot be set for the " + codec + " codec."))
        : Optional.empty();
  }

  private static Optional<ErrorBody> storedButNotCopied(Map<String, String> settings) {
    return IndexSettings.isRemoteBacked(settings)
            && !IndexMetadata.SEGMENT.equals(settings.get(IndexSettings.REPLICATION_TYPE))
        ? Optional.of(
            ErrorBody.illegalArgument(
                "To enable index.remote_store.enabled, index.replication.type should be set to"
                    + " SEGMENT"))
        : Optional.empty();
  }

  private static Optional<ErrorBody> searchedButNotCopied(Map<String, String> settings) {
    return IndexSettings.searchReplicas(settings) > 0
            && IndexMetadata.DOCUMENT.equals(settings.get(IndexSettings.REPLICATION_TYPE))
        ? Optional.of(
            ErrorBody.illegalArgument(
                "To set "
                    + IndexSettings.NUMBER_OF_SEARCH_REPLICAS
                    + ", "
                    + IndexSettings.REPLICATION_TYPE
                    + " must be set to "
                    + IndexMetadata.SEGMENT))
        : Optional.empty();
  }

  private static Optional<ErrorBody> searchedByNobody(Map<String, String> settings) {
    return IndexBlocks.isSet(settings, IndexBlocks.SEARCH_ONLY)
            && IndexSettings.searchReplicas(settings) == 0
        ? Optional.of(
            ErrorBody.illegalArgument(
                "Cannot set ["
                    + IndexSettings.NUMBER_OF_SEARCH_REPLICAS
                    + "] to [0] while the index is in search-only mode"))
        : Optional.empty();
  }

  private static Optional<ErrorBody> tooManyWaitedFor(Map<String, String> settings) {
    String waitedFor = IndexSettings.value(settings, IndexSettings.WAIT_FOR_ACTIVE_SHARDS);
    int copies =
        Integer.parseInt(IndexSettings.value(settings, IndexSettings.NUMBER_OF_REPLICAS)) + 1;
    return waitedFor.equals("all") || Integer.parseInt(waitedFor) <= copies
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "invalid "
                    + IndexSettings.WAIT_FOR_ACTIVE_SHARDS
                    + "["
                    + waitedFor
                    + "]: cannot be greater than number of shard copies ["
                    + copies
                    + "]"));
  }

  private static Optional<ErrorBody> unreachableInSync(Map<String, String> settings) {
    int copies =
        Integer.parseInt(IndexSettings.value(settings, IndexSettings.NUMBER_OF_REPLICAS)) + 1;
    return IndexSettings.isStrong(settings) && IndexSettings.minInSync(settings) > copies
        ? Optional.of(
            ErrorBody.illegalArgument(
                "invalid "
                    + IndexSettings.MIN_IN_SYNC
                    + " ["
                    + IndexSettings.minInSync(settings)
                    + "]: cannot be greater than number of shard copies ["
                    + copies
                    + "]"))
        : Optional.empty();
  }

  private static Optional<ErrorBody> unevenRouting(Map<String, String> settings) {
    String routing = settings.get(IndexSettings.NUMBER_OF_ROUTING_SHARDS);
    if (routing == null) {
      return Optional.empty();
    }
    int shards = Integer.parseInt(IndexSettings.value(settings, IndexSettings.NUMBER_OF_SHARDS));
    int routingShards = Integer.parseInt(routing);
    if (routingShards < shards) {
      return Optional.of(
          ErrorBody.illegalArgument(
              "index.number_of_routing_shards ["
                  + routingShards
                  + "] must be >= index.number_of_shards ["
                  + shards
                  + "]"));
    }
    return routingShards % shards == 0
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "the number of source shards ["
                    + shards
                    + "] must be a factor of ["
                    + routingShards
                    + "]"));
  }

  /**
   * The reason for which these settings (full names) can't be changed, if any; {@code null} resets
   * a setting.
   */
  public static Optional<ErrorBody> refusalOfChange(
      IndexMetadata index, Map<String, @Nullable String> changes) {
    for (String name : new TreeMap<>(changes).keySet()) {
      if (IndexSettings.find(name).filter(s -> s.kind() instanceof Given).isPresent()) {
        return Optional.of(
            ErrorBody.illegalArgument(
                "can not update private setting ["
                    + name
                    + "]; this setting is managed by OpenSearch"));
      }
    }
    Optional<ErrorBody> refused = IndexSettings.refusalAtCreation(changes);
    if (refused.isPresent()) {
      return refused;
    }
    List<String> fixed =
        new TreeMap<>(changes)
            .keySet().stream()
                .filter(name -> IndexSettings.find(name).filter(Setting::isDynamic).isEmpty())
                .toList();
    if (fixed.isEmpty()) {
      return Optional.empty();
    }
    return index.closed()
        ? fixed.stream()
            .filter(
                name -> IndexSettings.find(name).filter(s -> s.change() == Change.STATIC).isEmpty())
            .findFirst()
            .map(name ->
                ErrorBody.illegalArgument(
                    "final " + index.name() + " setting [" + name + "], not updateable"))
        : Optional.of(
            ErrorBody.illegalArgument(
                "Can't update non dynamic settings ["
                    + fixed
                    + "] for open indices [["
                    + index.name()
                    + "/"
                    + index.uuid()
                    + "]]"));
  }
}
