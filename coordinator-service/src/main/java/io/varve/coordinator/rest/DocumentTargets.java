package io.varve.coordinator.rest;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.access.Access;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resolves the name in a request about one document to its index and routing. */
public final class DocumentTargets {

  private DocumentTargets() {}

  /**
   * An index, with the name by which it was found.
   *
   * @param alias the alias's metadata; null if the index was named directly
   */
  public record Found(IndexMetadata index, String name, @Nullable AliasMetadata alias) {

    /**
     * Returns the alias's routing, which the given routing must not contradict; without one, the
     * given routing.
     */
    public @Nullable String routing(@Nullable String given) {
      String fixed = alias == null ? null : alias.indexRouting();
      if (fixed == null) {
        return given;
      }
      if (fixed.contains(",")) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "index/alias ["
                    + name
                    + "] provided with routing value ["
                    + fixed
                    + "] that resolved to several routing values, rejecting operation"));
      }
      if (given != null && !given.equals(fixed)) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "Alias ["
                    + name
                    + "] has index routing associated with it ["
                    + fixed
                    + "], and was provided with routing value ["
                    + given
                    + "], rejecting operation"));
      }
      return fixed;
    }
  }

  /**
   * Returns the index from which documents are read by that name; empty if there is neither an
   * index nor an alias.
   */
  public static Optional<Found> toRead(ClusterState state, String expression) {
    String name = DateMathName.resolve(expression);
    Access.current().require(state, name);
    IndexMetadata index = state.indices().get(name);
    if (index != null) {
      return Optional.of(new Found(open(index), name, null));
    }
    List<IndexMetadata> indices = state.indicesOf(name);
    if (indices.size() > 1) {
      throw IndexResolver.severalIndices(name, indices);
    }
    return indices.stream().findFirst().map(only -> through(name, open(only)));
  }

  /**
   * Returns the index to which documents are written by that name: the write index of an alias, or
   * its only index unless that index rejects writes through the alias.
   */
  public static Optional<Found> toWrite(ClusterState state, String expression) {
    String name = DateMathName.resolve(expression);
    Access.current().requireTarget(state, name);
    IndexMetadata index = state.indices().get(name);
    if (index != null) {
      return Optional.of(new Found(open(index), name, null));
    }
    List<IndexMetadata> indices = state.indicesOf(name);
    if (indices.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        writeIndex(name, indices)
            .map(target -> through(name, open(target)))
            .orElseThrow(() ->
                new ApiException(
                    ErrorBody.illegalArgument(
                        "no write index is defined for alias ["
                            + name
                            + "]. The write index may be explicitly disabled using"
                            + " is_write_index=false or the alias points to multiple indices"
                            + " without one being designated as a write index"))));
  }

  /** Returns the write index among the indices with the alias. */
  public static Optional<IndexMetadata> writeIndex(String alias, List<IndexMetadata> indices) {
    Stream<IndexMetadata> writable =
        indices.size() == 1
            ? indices.stream().filter(i -> !Boolean.FALSE.equals(metadata(i, alias).writeIndex()))
            : indices.stream().filter(i -> metadata(i, alias).writesHere());
    return writable.findFirst();
  }

  private static AliasMetadata metadata(IndexMetadata index, String alias) {
    return index.aliases().getOrDefault(alias, AliasMetadata.PLAIN);
  }

  private static Found through(String alias, IndexMetadata index) {
    return new Found(index, alias, metadata(index, alias));
  }

  private static IndexMetadata open(IndexMetadata index) {
    if (index.closed()) {
      throw new ApiException(IndexBlocks.closed(index));
    }
    return index;
  }
}
