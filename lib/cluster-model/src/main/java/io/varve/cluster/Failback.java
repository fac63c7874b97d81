package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.rpc.ForkPlace;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The return of a former leader index as a follower of the index that was promoted. Kafka cannot
 * remove the end of a log, so another index replaces the former leader index: it starts with the
 * former leader's operations up to the fork of each shard, and continues with the promoted index's
 * log.
 *
 * @param formerUuid of the former leader index; the operations that it accepted after the forks are
 *     in the topic {@link Topics#quarantine}
 * @param forks by shard, as recorded by the promoted index
 */
public record Failback(
    String formerUuid, @JsonSetter(nulls = Nulls.AS_EMPTY) Map<Integer, ForkPlace> forks) {

  public Failback {
    forks = Collections.unmodifiableSortedMap(new TreeMap<>(forks));
  }
}
