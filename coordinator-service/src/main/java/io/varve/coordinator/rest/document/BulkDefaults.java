package io.varve.coordinator.rest.document;

import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/** Values from the request for actions that do not set their own. */
record BulkDefaults(
    @Nullable String index,
    @Nullable String routing,
    boolean requireAlias,
    @Nullable SourceFilter shown) {}
