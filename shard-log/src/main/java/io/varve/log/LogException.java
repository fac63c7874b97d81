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

  /** Too many bytes are under way; nothing was sent. */
  public static final class Full extends LogException {
    private static final long serialVersionUID = 1L;

    public Full(String message) {
      super(message);
    }
  }
}
