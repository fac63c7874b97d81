package io.varve.log;

/**
 * A record of a fenced partition that this version can't read: its header is of no known form. A
 * newer version may have written and accepted it, so it is never skipped: nothing behind it is
 * applied, and nothing is appended.
 */
public final class UnreadableRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnreadableRecordException(PartitionLog log, long offset, RuntimeException cause) {
    super(
        "the record at offset "
            + offset
            + " of topic "
            + log.topic()
            + ", partition "
            + log.partition()
            + ", can't be read: "
            + cause.getMessage(),
        cause);
  }
}
