package io.varve.events;

/**
 * A record at its place in a partition. {@code timestampMillis} is the time at which it was
 * appended.
 */
public record StoredRecord(long offset, long timestampMillis, RawRecord record) {}
