package io.varve.host.http;

import io.varve.host.ShardCopy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers one kind of request to one copy. An {@link io.varve.rpc.ApiException} becomes the answer
 * as long as nothing was written.
 */
@FunctionalInterface
public interface ShardEndpoint {

  /**
   * @param rest what follows the endpoint's name in the path, without its slash; empty when there
   *     is nothing
   */
  void handle(ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException;
}
