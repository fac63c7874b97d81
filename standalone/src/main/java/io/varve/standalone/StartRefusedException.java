package io.varve.standalone;

import java.io.IOException;

/**
 * A program can't start for a reason that the user can fix, such as a port that is in use. The
 * command line prints the message without a stack trace.
 */
public final class StartRefusedException extends IOException {

  private static final long serialVersionUID = 1;

  public StartRefusedException(String message) {
    super(message);
  }
}
