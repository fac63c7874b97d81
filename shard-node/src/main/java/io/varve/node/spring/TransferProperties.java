package io.varve.node.spring;

import io.varve.node.replica.SegmentTransfers;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.replication.*}.
 *
 * @param chunkBytes the largest range of a file asked for at once
 * @param parallelFiles files that a replica fetches at the same time
 * @param freshnessBytesPerSecond the node's limit for replicas that serve already, 0 for none
 * @param recoveryBytesPerSecond the node's limit for replicas that are being built, 0 for none
 * @param timeoutMillis for one range as a whole
 */
@ConfigurationProperties("varve.replication")
public record TransferProperties(
    @DefaultValue("8388608") int chunkBytes,
    @DefaultValue("3") int parallelFiles,
    @DefaultValue("0") long freshnessBytesPerSecond,
    @DefaultValue("0") long recoveryBytesPerSecond,
    @DefaultValue("30000") long timeoutMillis) {

  SegmentTransfers transfers() {
    return SegmentTransfers.of(
        chunkBytes,
        parallelFiles,
        freshnessBytesPerSecond,
        recoveryBytesPerSecond,
        Duration.ofMillis(timeoutMillis));
  }
}
