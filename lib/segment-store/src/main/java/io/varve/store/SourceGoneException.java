package io.varve.store;

import java.io.IOException;

/** The source no longer has what was asked of it; asking again is of no use. */
public final class SourceGoneException extends IOException {

  private static final long serialVersionUID = 1L;

  public SourceGoneException(String message) {
    super(message);
  }
}
