package io.varve.search.mapping;

import io.varve.rpc.ErrorBody;

/**
 * Thrown if a value does not match its field's type. It has no stack trace, because it is reported
 * to the client.
 */
public final class ValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ErrorBody error;

  public ValueException(ErrorBody error) {
    super(error.reason(), null, false, false);
    this.error = error;
  }

  public ErrorBody error() {
    return error;
  }
}
