package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The records of a re-replication job and its operations on them, the same in all steps.
 *
 * @param query as JSON; null for all records
 * @param nowMillis the time that {@code now} denotes in the query
 * @param proceed whether the job continues after a version conflict; otherwise it ends in that
 *     shard
 * @param verify whether the copies are compared with the primary before their answers count as
 *     proof
 */
public record RereplicationWork(
    @Nullable String query,
    long nowMillis,
    RecordOperations operations,
    boolean proceed,
    boolean verify) {}
