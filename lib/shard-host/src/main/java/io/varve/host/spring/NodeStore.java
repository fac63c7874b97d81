package io.varve.host.spring;

import io.varve.store.StoreAccess;
import org.jspecify.annotations.Nullable;

/**
 * The segment store of this node.
 *
 * @param access {@code null} on a node without a store
 */
public record NodeStore(@Nullable StoreAccess access) {}
