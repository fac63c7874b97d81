package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Refuses reads and writes without routing in indices whose mapping requires it. */
final class RequiredRouting {

  private RequiredRouting() {}

  static Optional<ErrorBody> refusal(IndexMetadata index, String id, @Nullable String routing) {
    if (routing != null || !isRequired(index)) {
      return Optional.empty();
    }
    return Optional.of(
        ErrorBody.of(
                400,
                "routing_missing_exception",
                "routing is required for [" + index.name() + "]/[" + id + "]")
            .with("index", index.name())
            .with("index_uuid", "_na_"));
  }

  /** Searches for the word first: few mappings have it, so few are parsed. */
  private static boolean isRequired(IndexMetadata index) {
    return index.mapping().contains("\"_routing\"")
        && Mapping.parse(index.mapping(), MappingRules.of(index.settings()))
            .options()
            .routingRequired();
  }
}
