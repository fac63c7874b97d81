package io.varve.http.internal;

import java.io.IOException;

/**
 * Reads a request of another process and writes its response, as raw bytes or as a stream. A
 * failure becomes a response as long as nothing was written.
 */
@FunctionalInterface
public interface InternalEndpoint {

  void handle(InternalCall call) throws IOException, InterruptedException;
}
