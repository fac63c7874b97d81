package io.varve.shard.replicated;

/**
 * Limits and settings of {@link ReplicatedRecords}.
 *
 * @param minInSync copies that must hold a record, including the primary
 * @param appeals whether members prove the records of former primaries by reporting up to which
 *     seq_no they hold everything
 * @param waiters maximum number of waiters for one record
 * @param records maximum number of records that are queried at a time
 * @param timeoutMillis time within which the members must answer for a record
 */
public record RecordLimits(
    int minInSync, boolean appeals, int waiters, int records, long timeoutMillis) {}
