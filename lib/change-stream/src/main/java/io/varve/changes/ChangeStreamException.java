package io.varve.changes;

/**
 * A change can't be delivered. The listener's container stops, so that no later change of the shard
 * is delivered instead.
 */
public abstract sealed class ChangeStreamException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private ChangeStreamException(String message, Throwable cause) {
    super(message, cause);
  }

  private ChangeStreamException(String message) {
    super(message);
  }

  /** A newer version of Varve may have written the record; this version can't read it. */
  public static final class Unreadable extends ChangeStreamException {

    private static final long serialVersionUID = 1L;

    Unreadable(String record, RuntimeException cause) {
      super(record + " can't be read: " + cause.getMessage(), cause);
    }
  }

  /**
   * The log no longer has, or never had, all changes since the position of the group. The message
   * names the offset at which it may continue.
   */
  public static final class Lost extends ChangeStreamException {

    private static final long serialVersionUID = 1L;

    Lost(String message) {
      super(message);
    }

    Lost(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
