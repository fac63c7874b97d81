package io.varve.events;

/** A record with its position in a partition and the time at which it was appended. */
public record StoredRecord(long offset, long timestampMillis, RawRecord record) {}
