package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The point at which the history of a promoted shard departs from that of its former leader. Both
 * have the same operations up to {@code seqNo}, and no operation after the promoted primary's fence
 * is the former leader's.
 *
 * @param leaderOffset of the last operation that was taken from the former leader, in its log; -1
 *     if there is none
 * @param leaderTerm of that operation there
 * @param seqNo of that operation; -1 if there is none
 * @param leaderDigest of its record there; null if it is not known
 * @param offset of the fence in the promoted shard's log
 * @param term of the fence
 */
public record ForkPlace(
    long leaderOffset,
    long leaderTerm,
    long seqNo,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long leaderDigest,
    long offset,
    long term) {}
