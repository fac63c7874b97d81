package io.varve.coordinator.rest.document;

import io.varve.search.source.SourceFilter;
import org.jspecify.annotations.Nullable;

/** What the request as a whole says for those of its actions that don't say it themselves. */
record BulkDefaults(
    @Nullable String index,
    @Nullable String routing,
    boolean requireAlias,
    @Nullable SourceFilter shown) {}
