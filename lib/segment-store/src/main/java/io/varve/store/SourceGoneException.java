package io.varve.store;

import java.io.IOException;

/** The source no longer has the requested file; retrying is useless. */
public final class SourceGoneException extends IOException {

  private static final long serialVersionUID = 1L;

  public SourceGoneException(String message) {
    super(message);
  }
}
