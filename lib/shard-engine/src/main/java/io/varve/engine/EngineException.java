package io.varve.engine;

/**
 * The copy can't continue because of a disk error, a damaged file, or a violated invariant. It must
 * be reopened.
 */
public sealed class EngineException extends RuntimeException permits UnreadableSegmentsException {

  private static final long serialVersionUID = 1L;

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }

  public EngineException(String message) {
    super(message);
  }
}
