package io.varve.host;

import io.varve.rpc.ApiException;

/** Creates copies, primaries or replicas, that are not started yet. */
@FunctionalInterface
public interface CopyFactory {

  /**
   * @param primary whether the copy is a primary, of {@code term}
   * @throws ApiException if the index is deleted
   */
  ShardCopy create(CopyContext context, boolean primary, long term);
}
