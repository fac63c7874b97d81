package io.varve.shard.replicated;

/**
 * A copy in one run of its process.
 *
 * @param incarnation of the process
 */
public record Member(String copyId, String incarnation) {}
