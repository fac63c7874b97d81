package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Where the history of a promoted shard leaves that of its former leader: both have the same
 * operations up to {@code seqNo}, and none later than the promoted primary's fence is the former
 * leader's.
 *
 * @param leaderOffset of the last operation taken over, in the former leader's log; -1 if there is
 *     none
 * @param leaderTerm of that operation there
 * @param seqNo of that operation; -1 if there is none
 * @param leaderDigest of its record there; null if it is not known
 * @param offset of the fence in the own log
 * @param term of the fence
 */
public record ForkPlace(
    long leaderOffset,
    long leaderTerm,
    long seqNo,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long leaderDigest,
    long offset,
    long term) {}
