package io.varve.host.http;

import io.varve.host.ShardCopy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Handles one kind of request to one copy. An {@link io.varve.rpc.ApiException} becomes the
 * response as long as nothing was written.
 */
@FunctionalInterface
public interface ShardEndpoint {

  /**
   * @param rest the part of the path after the endpoint's name, without its slash; may be empty
   */
  void handle(ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException;
}
