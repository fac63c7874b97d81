package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The records of a re-replication job and its operations on them, the same in all steps.
 *
 * @param query as JSON; null for all records
 * @param nowMillis the time that {@code now} stands for in the query
 * @param proceed whether a version conflict is passed over; otherwise the job ends in that shard
 * @param verify whether the copies are compared before their word is taken as a proof
 */
public record RereplicationWork(
    @Nullable String query,
    long nowMillis,
    RecordOperations operations,
    boolean proceed,
    boolean verify) {}
