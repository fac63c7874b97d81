package io.varve.coordinator.security;

import io.varve.cluster.ClusterSecret;
import io.varve.cluster.Topics;
import io.varve.coordinator.access.IdSignatures;
import io.varve.coordinator.audit.Audit;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.Json;
import io.varve.http.audit.AuditLog;
import io.varve.http.audit.AuditedPeers;
import io.varve.http.security.SecurityProperties;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionRecords;
import io.varve.log.TopicSpec;
import io.varve.rest.RequestGuard;
import io.varve.rest.RestEndpoints;
import io.varve.rpc.ApiException;
import io.varve.security.ApiKey;
import io.varve.security.Role;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityDecisions;
import io.varve.security.SecurityEvent;
import io.varve.security.SecurityState;
import io.varve.security.User;
import jakarta.servlet.Filter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import tools.jackson.databind.JsonNode;

/** The security state in memory, with the real decisions, logins and filters. */
public final class FakeSecurity implements SecurityStates, SecurityCommands {

  public static final int FAILURES = 3;
  static final int NAME_MAX_LENGTH = 64;
  static final int AUDIT_QUEUE = 100_000;
  private static final int REQUESTS_PER_USER = 1_000;
  private static final long NOW_MILLIS = 1_700_000_000_000L;

  private final PasswordEncoder passwords =
      new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(4)));
  private final SecurityProperties properties =
      new SecurityProperties(
          false,
          null,
          null,
          new SecurityProperties.Tls(null, 0),
          new SecurityProperties.FailedLogins(FAILURES, Duration.ofDays(1), 10_000),
          8,
          100,
          NAME_MAX_LENGTH,
          AUDIT_QUEUE,
          REQUESTS_PER_USER,
          null,
          false);
  private final Secrets secrets = new Secrets();
  private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW_MILLIS));
  private final MessageLog log = new InMemoryMessageLog(Runnable::run, () -> NOW_MILLIS);
  private final TopicSpec auditTopic = new Topics("fake", 1).auditSpec();
  private final AuditLog auditLog;
  private final Audit audit;
  private final SecurityConfiguration.Authentication authentication;
  private volatile Current current = new Current(SecurityState.EMPTY);
  private volatile boolean unreadable;

  public FakeSecurity() {
    this(AUDIT_QUEUE);
  }

  /**
   * @param auditQueue events that wait; none is written before {@link #auditLog} is started
   */
  FakeSecurity(int auditQueue) {
    auditLog = AuditLog.creating(log, auditTopic, auditQueue);
    audit = new Audit(auditLog, "c1", clock);
    authentication =
        new SecurityConfiguration.Authentication(
            new Logins(this, passwords, clock, secrets, properties, audit), passwords, secrets);
  }

  AuditLog auditLog() {
    return auditLog;
  }

  AuditedPeers auditedPeers() {
    return new AuditedPeers(auditLog, "c1", clock);
  }

  /** The records of the audit topic. */
  List<JsonNode> audited() throws LogException {
    return PartitionRecords.of(log.open(auditTopic.name(), 0)).stream()
        .map(stored -> Json.mapper().readTree(stored.record().value()))
        .toList();
  }

  @Override
  public Current current() {
    if (unreadable) {
      throw new ApiException(503, "security_exception", "the security state can't be read");
    }
    return current;
  }

  public void becomeUnreadable() {
    unreadable = true;
  }

  @Override
  public synchronized Applied execute(SecurityCommand command) {
    SecurityState state = current.state();
    return switch (SecurityDecisions.decide(state, command)) {
      case SecurityDecisions.Decision.Refused(var error) -> throw new ApiException(error);
      case SecurityDecisions.Decision.Nothing() -> new Applied(state.version(), false);
      case SecurityDecisions.Decision.Change(var event, boolean created) -> {
        apply(event);
        yield new Applied(current.state().version(), created);
      }
    };
  }

  @Override
  public synchronized void change(
      Function<SecurityState, SecurityCommand.@Nullable ChangeAll> derivation) {
    SecurityCommand command = derivation.apply(current.state());
    if (command != null) {
      var _ = execute(command);
    }
  }

  private void apply(SecurityEvent event) {
    current = new Current(current.state().apply(event));
  }

  /** Adds a user whose password is its name, twice. */
  public FakeSecurity user(String name, String... roles) {
    String hash = Objects.requireNonNull(passwords.encode(name + name));
    apply(
        new SecurityEvent.UserPut(
            new User(name, hash, List.of(roles), List.of(), Map.of(), "", false)));
    return this;
  }

  public FakeSecurity role(Role role) {
    apply(new SecurityEvent.RolePut(role));
    return this;
  }

  /** The header of a new key of that user. */
  public String key(String owner, boolean expired) {
    String id = secrets.newId();
    String key = secrets.newKey();
    apply(
        new SecurityEvent.ApiKeyCreated(
            new ApiKey(
                id,
                "key",
                owner,
                Secrets.hash(key),
                NOW_MILLIS - 1_000,
                expired ? NOW_MILLIS : NOW_MILLIS + 1_000)));
    return "ApiKey " + base64(id + ":" + key);
  }

  /** The header of a key of that user that was revoked. */
  String revokedKey(String owner) {
    String header = key(owner, false);
    String pair =
        new String(
            Base64.getDecoder().decode(header.substring("ApiKey ".length())),
            StandardCharsets.UTF_8);
    apply(new SecurityEvent.ApiKeysInvalidated(List.of(pair.substring(0, pair.indexOf(':')))));
    return header;
  }

  /** Removes a user. */
  void delete(String user) {
    apply(new SecurityEvent.UserDeleted(user));
  }

  /** The header of a user that {@link #user} added. */
  public static String basic(String name) {
    return basic(name, name + name);
  }

  public static String basic(String name, String password) {
    return "Basic " + base64(name + ":" + password);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  public Filter filter() {
    return SecurityChain.of(authentication.logins(), this, audit);
  }

  public RequestGuard guard(ClusterAccess cluster) {
    return new AccessGuard(
        this,
        cluster,
        new IdSignatures(new ClusterSecret("0123456789abcdef0123456789abcdef")),
        audit,
        new UserRequests(properties.requestsPerUser()));
  }

  public RestEndpoints endpoints() {
    return SecurityEndpoints.of(this, this, authentication, properties, clock);
  }
}
