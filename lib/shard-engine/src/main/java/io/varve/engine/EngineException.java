package io.varve.engine;

/** The copy can't go on: a disk error, a damaged file, or a broken rule. It must be opened anew. */
public final class EngineException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }

  public EngineException(String message) {
    super(message);
  }
}
