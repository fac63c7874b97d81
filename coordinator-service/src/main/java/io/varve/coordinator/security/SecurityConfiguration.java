package io.varve.coordinator.security;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.ClusterSecret;
import io.varve.cluster.Topics;
import io.varve.coordinator.access.IdSignatures;
import io.varve.coordinator.audit.Audit;
import io.varve.coordinator.cluster.AppliedRequests;
import io.varve.coordinator.cluster.AppliedWait;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.cluster.CoordinatorSettings;
import io.varve.coordinator.cluster.CurrentState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.http.audit.AuditLog;
import io.varve.http.audit.AuditMeters;
import io.varve.http.audit.AuditedPeers;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.security.InternalRouteGuard;
import io.varve.http.security.PeerFilter;
import io.varve.http.security.PeerRefusals;
import io.varve.http.security.Peers;
import io.varve.http.security.ProcessSecurityConfiguration;
import io.varve.http.security.SecurityProperties;
import io.varve.log.MessageLog;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import io.varve.rest.RequestGuard;
import io.varve.rest.RestEndpoints;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Wires security; without {@code varve.security.enabled} there is none of these beans. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("varve.security.enabled")
@Import(ProcessSecurityConfiguration.class)
public class SecurityConfiguration {

  /** Logins and keys in one place, for the filters and for the endpoints. */
  record Authentication(Logins logins, PasswordEncoder passwords, Secrets secrets) {}

  @Bean
  Authentication authentication(
      SecurityStates security,
      PasswordEncoder passwords,
      InstantSource clock,
      SecurityProperties properties,
      Audit audit) {
    Secrets secrets = new Secrets();
    return new Authentication(
        new Logins(security, passwords, clock, secrets, properties, audit), passwords, secrets);
  }

  @Bean(destroyMethod = "close")
  AuditLog auditLog(
      MessageLog log, Topics topics, SecurityProperties properties, MeterRegistry meters) {
    AuditLog audit = AuditLog.creating(log, topics.auditSpec(), properties.auditQueueSize());
    AuditMeters.register(audit, meters);
    return audit;
  }

  @Bean
  Audit audit(AuditLog log, CoordinatorSettings settings, InstantSource clock) {
    return new Audit(log, settings.nodeName(), clock);
  }

  @Bean
  PeerRefusals peerRefusals(
      AuditLog log, CoordinatorSettings settings, InstantSource clock, MeterRegistry meters) {
    AuditedPeers peers = new AuditedPeers(log, settings.nodeName(), clock);
    AuditMeters.register(peers, meters);
    return peers;
  }

  @Bean
  PasswordEncoder passwordEncoder() {
    return PasswordEncoderFactories.createDelegatingPasswordEncoder();
  }

  @Bean
  FirstUsers firstUsers(
      CoordinatorSettings settings, PasswordEncoder passwords, SecurityProperties properties)
      throws IOException {
    Path file = properties.usersFile();
    Path folder = properties.folder();
    return file == null
        ? new AdminPassword(
            folder == null ? settings.data().resolve("security") : folder,
            password -> Objects.requireNonNull(passwords.encode(password)))
        : UsersFile.read(file, properties, passwords);
  }

  @Bean(destroyMethod = "close")
  SecurityNode securityNode(
      SecurityNode.Cluster cluster,
      MessageLog log,
      Topics topics,
      HttpClient http,
      FirstUsers first) {
    return new SecurityNode(log, topics, cluster, SecurityRoutes.sender(http), first);
  }

  @Bean
  SecurityNode.Cluster clusterOfSecurity(
      CoordinatorNode node, CurrentState current, AppliedWait applied, HttpClient http) {
    AppliedRequests requests =
        new AppliedRequests(http, SecurityRoutes.APPLIED, node::disconnected);
    return new OfNode(node, current, applied, requests);
  }

  /** What the coordinator knows about its cluster. */
  private record OfNode(
      CoordinatorNode node, CurrentState current, AppliedWait applied, AppliedRequests requests)
      implements SecurityNode.Cluster {

    @Override
    public void awaitStart() throws InterruptedException {
      try {
        node.started().get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the coordinator did not start", e);
      }
    }

    @Override
    public String nodeId() {
      return node.localNodeId();
    }

    @Override
    public long leadingTerm() {
      return node.leadingTerm();
    }

    @Override
    public Optional<String> leaderUrl() {
      return node.leaderUrl();
    }

    @Override
    public int featureLevel() {
      return node.state().featureLevel();
    }

    /**
     * A coordinator that has joined since the last cluster state that this one has applied may have
     * read the security topic before the change.
     */
    @Override
    public boolean awaitOthers(long version, Duration timeout) throws InterruptedException {
      Deadline deadline = Deadline.in(timeout, Ticker.SYSTEM);
      return current.await(timeout) && applied.await(requests, version, deadline.left());
    }
  }

  @Bean
  ApplicationListener<WebServerInitializedEvent> startSecurity(SecurityNode node, AuditLog audit) {
    return _ -> {
      node.start();
      audit.start();
    };
  }

  /**
   * Reported as {@code security} by {@code /_actuator/health}: DOWN while all requests are refused.
   */
  @Bean
  HealthIndicator security(SecurityNode node) {
    return () ->
        node.isOpen()
            ? Health.up().build()
            : Health.down().withDetail("reason", "the security topic is not read").build();
  }

  @Bean
  InternalEndpoints securityRoutes(SecurityNode node) {
    return SecurityRoutes.of(node);
  }

  @Bean
  UserRequests userRequests(SecurityProperties properties, MeterRegistry meters) {
    UserRequests requests = new UserRequests(properties.requestsPerUser());
    requests.register(meters);
    return requests;
  }

  @Bean
  RequestGuard requestGuard(
      SecurityStates security,
      ClusterAccess cluster,
      ClusterSecret secret,
      Audit audit,
      UserRequests requests) {
    return new AccessGuard(security, cluster, new IdSignatures(secret), audit, requests);
  }

  @Bean
  RestEndpoints securityEndpoints(
      SecurityNode node,
      Authentication authentication,
      SecurityProperties properties,
      InstantSource clock) {
    return SecurityEndpoints.of(node, node, authentication, properties, clock);
  }

  /** Its order is after the filter that measures durations, so that refusals are also counted. */
  @Bean
  FilterRegistrationBean<PeerFilter> peerFilter(Peers peers) {
    FilterRegistrationBean<PeerFilter> registration =
        new FilterRegistrationBean<>(new PeerFilter(peers, SecurityChain::isOfUsers));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return registration;
  }

  /**
   * Checks the endpoints of {@code ClusterEndpoint}, because they have no {@code InternalRoute},
   * which would check them.
   */
  @Bean
  WebMvcConfigurer internalRouteGuard(Peers peers) {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new InternalRouteGuard(peers, SecurityChain.FOR_FOLLOWERS));
      }
    };
  }

  @Bean
  FilterRegistrationBean<Filter> securityFilter(
      Authentication authentication, SecurityStates security, Audit audit) {
    FilterRegistrationBean<Filter> registration =
        new FilterRegistrationBean<>(SecurityChain.of(authentication.logins(), security, audit));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
    return registration;
  }
}
