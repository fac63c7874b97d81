package io.varve.coordinator.rest.ccr;

import io.varve.client.CopyReader;
import io.varve.cluster.RemoteFiles;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of cross-cluster replication. */
@Configuration(proxyBeanMethods = false)
public class CcrConfiguration {

  @Bean
  FollowReports followReports(ClusterAccess cluster, HttpClient http, Parallel parallel) {
    return new FollowReports(cluster, http, parallel);
  }

  @Bean
  RestEndpoints ccrEndpoints(
      ClusterAccess cluster,
      FollowReports reports,
      RemoteFiles files,
      Parallel parallel,
      CopyReader copies,
      LeaseRemoval removal,
      FailbackLogs logs) {
    LeaderClusters leaders = new LeaderClusters(cluster, files);
    List<RestEndpoint> endpoints = new ArrayList<>();
    FollowLifecycle followers = new FollowLifecycle(cluster, leaders);
    AutoFollowPatterns patterns = new AutoFollowPatterns(cluster, leaders);
    endpoints.add(new FollowEndpoint(cluster, followers));
    endpoints.addAll(FollowLifecycleEndpoint.all(cluster, followers));
    endpoints.addAll(AutoFollowEndpoint.all(cluster, patterns));
    endpoints.addAll(ReplicationLifecycleEndpoint.all(cluster, followers));
    endpoints.addAll(ReplicationRuleEndpoint.all(cluster, patterns));
    endpoints.addAll(ReplicationStatsEndpoint.all(cluster, reports, copies));
    endpoints.add(new ReplicationStatusEndpoint(cluster, reports, copies));
    endpoints.add(new LicenseEndpoint(cluster));
    endpoints.add(new FollowInfoEndpoint(cluster, logs));
    endpoints.add(new FailbackEndpoint(cluster, leaders, logs));
    endpoints.add(new SkipOperationEndpoint(cluster, reports));
    endpoints.add(new FollowStatsEndpoint(cluster, reports));
    endpoints.add(new ForgetFollowerEndpoint(cluster, copies, removal));
    endpoints.add(new RemoteInfoEndpoint(cluster, files, parallel));
    return new RestEndpoints(endpoints);
  }
}
