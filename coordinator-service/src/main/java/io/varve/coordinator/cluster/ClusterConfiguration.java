package io.varve.coordinator.cluster;

import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.Topics;
import io.varve.cluster.stats.NodeReport;
import io.varve.control.AddressProof;
import io.varve.http.StopListener;
import io.varve.http.security.NodeCertificates;
import io.varve.http.security.PeerRefusals;
import io.varve.log.MessageLog;
import io.varve.process.Ticker;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires this coordinator's membership in the cluster. */
@Configuration(proxyBeanMethods = false)
public class ClusterConfiguration {

  @Bean(destroyMethod = "close")
  CoordinatorNode coordinatorNode(
      CoordinatorSettings settings,
      MessageLog log,
      Topics topics,
      HttpClient http,
      ObjectProvider<ProcessCredentials> credentials)
      throws IOException {
    ProcessCredentials own = credentials.getIfAvailable(ProcessCredentials.None::new);
    AddressProof proof =
        own.tls().map(tls -> byCertificates(tls, own)).orElse(AddressProof.BELIEVED);
    return new CoordinatorNode(
        settings,
        log,
        topics,
        new CoordinatorNode.Others(http, proof),
        new CoordinatorNode.Clocks(InstantSource.system(), Ticker.SYSTEM));
  }

  @Bean(destroyMethod = "close")
  AppliedWait appliedWait(CoordinatorNode node, HttpClient http) {
    return new AppliedWait(
        node.localNodeId(),
        node.view(),
        new AppliedRequests(http, AppliedRequests.CLUSTER_STATE, node::disconnected),
        Executors.newVirtualThreadPerTaskExecutor(),
        Ticker.SYSTEM);
  }

  @Bean(destroyMethod = "close")
  CurrentState currentState(CoordinatorNode node, MessageLog log, Topics topics) {
    return new CurrentState(
        log.open(topics.clusterLog(), 0),
        node.view().position(),
        Executors.newVirtualThreadPerTaskExecutor(),
        Ticker.SYSTEM);
  }

  private static AddressProof byCertificates(SSLContext tls, ProcessCredentials own) {
    return new ProvenAddresses(
        url -> NodeCertificates.nodeIdAt(tls, url),
        task -> Thread.ofVirtual().name("address-proof").start(task),
        Ticker.SYSTEM,
        own::generation);
  }

  /**
   * A write in progress may need new fields, for which its primary sends a request to the leader on
   * a new connection. A stopping process accepts no new connections.
   */
  @Bean
  StopListener resigningLeader(CoordinatorNode node, AppliedWait applied) {
    return new StopListener() {
      @Override
      public void stopping() {
        node.resign();
      }

      @Override
      public void ending() {
        applied.end();
      }
    };
  }

  /** The statistics that this coordinator reports about itself. */
  @Bean
  NodeReport nodeReport(CoordinatorSettings settings) {
    return new NodeReport(settings.data(), InstantSource.system());
  }

  @Bean
  ClusterEndpoint clusterEndpoint(
      CoordinatorNode node,
      MessageLog log,
      Topics topics,
      BrokersForFollowers brokers,
      NodeReport report,
      ObjectProvider<PeerRefusals> refusals,
      AppliedWait applied) {
    return new ClusterEndpoint(
        node,
        log,
        topics,
        brokers,
        report,
        refusals.getIfAvailable(() -> PeerRefusals.UNRECORDED),
        applied);
  }
}
