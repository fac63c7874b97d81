package io.varve.standalone;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The credentials and TLS context with which a cluster is called.
 *
 * @param authorization supplies the value of the header {@code Authorization} for each call
 * @param tls the context of the connections; empty without TLS
 */
public record RestAccess(Supplier<Optional<String>> authorization, Optional<SSLContext> tls) {

  /** Without security. */
  public static final RestAccess PLAIN = new RestAccess(Optional::empty, Optional.empty());
}
