package io.varve.log;

/** A request to the log failed. */
public sealed class LogException extends Exception {

  private static final long serialVersionUID = 1L;

  private LogException(String message, Throwable cause) {
    super(message, cause);
  }

  private LogException(String message) {
    super(message);
  }

  /** The log did not answer in time or reported a transient failure; reads may be retried. */
  public static final class Unavailable extends LogException {
    private static final long serialVersionUID = 1L;

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }

    public Unavailable(String message) {
      super(message);
    }
  }

  /** The requested offsets are not in the partition. */
  public static final class OutOfRange extends LogException {
    private static final long serialVersionUID = 1L;

    public OutOfRange(String message) {
      super(message);
    }
  }

  /**
   * The partition no longer holds the records that a copy applied: it lost its tail, or other
   * records were written instead. Retrying is useless until the log is restored.
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

  /** The limit on bytes in flight is reached; nothing was sent. */
  public static final class Full extends LogException {
    private static final long serialVersionUID = 1L;

    public Full(String message) {
      super(message);
    }
  }
}
