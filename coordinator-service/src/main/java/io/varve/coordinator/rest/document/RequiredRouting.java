package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rejects reads and writes without routing if the mapping of the index requires it. */
final class RequiredRouting {

  private RequiredRouting() {}

  static Optional<ErrorBody> refusal(IndexMetadata index, String id, @Nullable String routing) {
    return routing == null && isRequired(index)
        ? Optional.of(missing(index, id))
        : Optional.empty();
  }

  /** The error of a document without routing. */
  static ErrorBody missing(IndexMetadata index, String id) {
    return ErrorBody.of(
            400,
            "routing_missing_exception",
            "routing is required for [" + index.name() + "]/[" + id + "]")
        .with("index", index.name())
        .with("index_uuid", "_na_");
  }

  /**
   * Looks for the word in the text first, so that only the few mappings that contain it are parsed.
   */
  static boolean isRequired(IndexMetadata index) {
    return index.mapping().contains("\"_routing\"")
        && Mapping.parse(index.mapping(), MappingRules.of(index.settings()))
            .options()
            .routingRequired();
  }
}
