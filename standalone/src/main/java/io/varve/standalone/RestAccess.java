package io.varve.standalone;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * How a cluster is called.
 *
 * @param authorization the value of the header {@code Authorization}, asked for each call
 * @param tls the context of its connections; empty without TLS
 */
public record RestAccess(Supplier<Optional<String>> authorization, Optional<SSLContext> tls) {

  /** Without security. */
  public static final RestAccess PLAIN = new RestAccess(Optional::empty, Optional.empty());
}
