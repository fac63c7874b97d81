package io.varve.replication.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.host.CopyFactory;
import io.varve.host.CopyKind;
import io.varve.host.LeaderRecovery;
import io.varve.host.NodeContext;
import io.varve.host.PeerRecovery;
import io.varve.host.ShardNode;
import io.varve.host.StoreRecovery;
import io.varve.host.http.ShardEndpoints;
import io.varve.host.spring.LaneMeters;
import io.varve.host.spring.NodeStore;
import io.varve.replication.replica.LeaderBootstrap;
import io.varve.replication.replica.MergedSegmentEndpoints;
import io.varve.replication.replica.ReplicaCopies;
import io.varve.replication.replica.SegmentPeerRecovery;
import io.varve.replication.replica.SegmentTransfers;
import io.varve.replication.replica.StoreBootstrap;
import io.varve.replication.replica.TransferLimits;
import io.varve.store.TransferLane;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Offers replicas to a process that hosts copies: the kind of copy, the endpoints that only a
 * replica answers, and the means to rebuild a primary's folder by copying segments.
 */
@AutoConfiguration
@ConditionalOnBean(ShardNode.class)
@EnableConfigurationProperties(TransferProperties.class)
public class ReplicaConfiguration {

  /** The replicas of a node, which share its transfer limits. */
  private record Replicas(SegmentTransfers transfers) implements CopyKind {

    @Override
    public boolean primary() {
      return false;
    }

    @Override
    public CopyFactory on(NodeContext node) {
      var _ = TransferLimits.follow(node.cluster(), transfers.budget());
      return (context, _, _) -> ReplicaCopies.create(context, transfers);
    }
  }

  @Bean
  CopyKind replicas(SegmentTransfers transfers) {
    return new Replicas(transfers);
  }

  @Bean
  SegmentTransfers segmentTransfers(
      TransferProperties properties, NodeStore store, MeterRegistry meters) {
    SegmentTransfers transfers = properties.transfers(store.access());
    LaneMeters.register(
        transfers.budget(), EnumSet.complementOf(EnumSet.of(TransferLane.UPLOAD)), meters);
    return transfers;
  }

  @Bean
  PeerRecovery peerRecovery(SegmentTransfers transfers) {
    return new SegmentPeerRecovery(transfers);
  }

  @Bean
  StoreRecovery storeRecovery(SegmentTransfers transfers) {
    return new StoreBootstrap(transfers);
  }

  @Bean
  LeaderRecovery leaderRecovery(SegmentTransfers transfers) {
    return new LeaderBootstrap(transfers);
  }

  @Bean
  ShardEndpoints mergedSegmentEndpoints() {
    return new MergedSegmentEndpoints();
  }
}
