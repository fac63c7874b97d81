package io.varve.log;

/** The log did not do what was asked. */
public sealed class LogException extends Exception {

  private static final long serialVersionUID = 1L;

  private LogException(String message, Throwable cause) {
    super(message, cause);
  }

  private LogException(String message) {
    super(message);
  }

  /** It did not answer in time, or said that it can't now; a read may be tried again. */
  public static final class Unavailable extends LogException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }

    public Unavailable(String message) {
      super(message);
    }
  }

  /** The offsets asked for are not in the partition. */
  public static final class OutOfRange extends LogException {
    private static final long serialVersionUID = 1L;

    public OutOfRange(String message) {
      super(message);
    }
  }

  /**
   * The partition no longer holds what a copy has applied: its end went back, or other records were
   * written in its place. No retry helps until the log is restored.
   */
  public static final class Lost extends LogException {
    private static final long serialVersionUID = 1L;

    public Lost(PartitionLog log, String reason) {
      super(
          "the log of topic "
              + log.topic()
              + ", partition "
              + log.partition()
              + ", is not the one that was applied: "
              + reason);
    }
  }

  /** Too many bytes are under way; nothing was sent. */
  public static final class Full extends LogException {
    private static final long serialVersionUID = 1L;

    public Full(String message) {
      super(message);
    }
  }
}
