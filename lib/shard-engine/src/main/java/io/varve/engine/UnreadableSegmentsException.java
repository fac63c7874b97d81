package io.varve.engine;

/** This process is too old for the segments of a manifest, or lacks a codec. Nothing is damaged. */
public final class UnreadableSegmentsException extends EngineException {

  private static final long serialVersionUID = 1L;

  public UnreadableSegmentsException(String message) {
    super(message);
  }
}
