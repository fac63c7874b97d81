package io.varve.host;

import io.varve.rpc.ApiException;

/** Makes the right kind of copy, not yet started. */
@FunctionalInterface
public interface CopyFactory {

  /**
   * @param primary whether it is to write, in {@code term}
   * @throws ApiException when the index is gone
   */
  ShardCopy create(CopyContext context, boolean primary, long term);
}
