package io.varve.log;

/**
 * A record of a fenced partition whose header has an unknown format. A newer version may have
 * written and accepted it, so it is never skipped: no later record is applied, and nothing is
 * appended.
 */
public final class UnreadableRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long offset;

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
    this.offset = offset;
  }

  /** The record's offset. */
  public long offset() {
    return offset;
  }
}
