package io.varve.coordinator.security;

import io.varve.coordinator.audit.Audit;
import io.varve.http.security.SecurityProperties;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.security.ApiKey;
import io.varve.security.Principal;
import io.varve.security.SecurityState;
import io.varve.security.User;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks passwords and API keys against the security state.
 *
 * <p>A correct password is cached as a keyed hash, because its slow hash would cost more than most
 * requests. The cache is cleared when the state changes. A login with an unknown user name takes as
 * long as one with a wrong password: the password is compared with a hash that nothing matches.
 */
final class Logins implements AuthenticationManager {

  /**
   * The state is not known, or too many logins failed; the credentials themselves may be correct.
   */
  static final class Refused extends AuthenticationServiceException {
    private static final long serialVersionUID = 1L;

    private final transient ErrorBody error;

    Refused(ErrorBody error) {
      super(error.reason());
      this.error = error;
    }

    ErrorBody error() {
      return error;
    }
  }

  /** Logins that were correct under one state. */
  private record Remembered(long version, Map<String, Principal> byHash, Set<String> keys) {}

  private static final int UNAUTHORIZED = 401;

  private final SecurityStates security;
  private final PasswordEncoder passwords;
  private final InstantSource clock;
  private final Secrets secrets;
  private final FailedLogins failures;
  private final int cacheSize;
  private final String hashOfNobody;
  private final Audit audit;
  private volatile Remembered remembered = new Remembered(-1, Map.of(), Set.of());

  Logins(
      SecurityStates security,
      PasswordEncoder passwords,
      InstantSource clock,
      Secrets secrets,
      SecurityProperties properties,
      Audit audit) {
    this.audit = audit;
    this.security = security;
    this.passwords = passwords;
    this.clock = clock;
    this.secrets = secrets;
    this.failures = new FailedLogins(properties.failedLogins());
    this.cacheSize = properties.loginCacheSize();
    this.hashOfNobody = Objects.requireNonNull(passwords.encode(secrets.newKey()));
  }

  @Override
  public Authentication authenticate(Authentication credentials) throws AuthenticationException {
    SecurityState state = state();
    try {
      return new Users.Authenticated(
          switch (credentials) {
            case Users.KeyToken key -> ofKey(state, key);
            case UsernamePasswordAuthenticationToken pair ->
                ofPassword(
                    state, pair.getName(), String.valueOf(pair.getCredentials()), source(pair));
            default -> throw new BadCredentialsException("unknown credentials");
          });
    } catch (Refused e) {
      audit.loginFailed(credentials.getName(), source(credentials), e.error().status());
      throw e;
    } catch (BadCredentialsException e) {
      audit.loginFailed(credentials.getName(), source(credentials), UNAUTHORIZED);
      throw e;
    }
  }

  private SecurityState state() {
    try {
      return security.current().state();
    } catch (ApiException e) {
      throw new Refused(e.error());
    }
  }

  private static String source(Authentication credentials) {
    return credentials.getDetails() instanceof WebAuthenticationDetails details
        ? String.valueOf(details.getRemoteAddress())
        : "";
  }

  private Principal ofPassword(SecurityState state, String name, String password, String source) {
    String hash = secrets.ofLogin(name, password);
    Remembered known = remembered(state);
    Principal before = known.byHash().get(hash);
    if (before != null) {
      return before;
    }
    if (!failures.mayTry(name, source)) {
      throw new Refused(
          ErrorBody.of(
              429, "security_exception", "too many failed logins of [" + name + "]; wait"));
    }
    User user = state.users().get(name);
    if (!matches(password, user)) {
      failures.failed(name, source);
      throw new BadCredentialsException("wrong user or password");
    }
    Principal principal = state.principal(Objects.requireNonNull(user), "");
    if (known.byHash().size() < cacheSize) {
      known.byHash().put(hash, principal);
    }
    audit.login(principal, source);
    return principal;
  }

  private boolean matches(String password, @Nullable User user) {
    boolean equal = passwords.matches(password, user == null ? hashOfNobody : user.hash());
    return equal && user != null;
  }

  private Remembered remembered(SecurityState state) {
    Remembered known = remembered;
    if (known.version() != state.version()) {
      known =
          new Remembered(state.version(), new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
      remembered = known;
    }
    return known;
  }

  private Principal ofKey(SecurityState state, Users.KeyToken token) {
    ApiKey key = state.apiKeys().get(token.getPrincipal());
    String hash = Secrets.hash(token.getCredentials());
    if (key == null
        || !Secrets.areEqual(key.hash(), hash)
        || key.isExpired(clock.millis())
        || !state.users().containsKey(key.owner())) {
      throw new BadCredentialsException("unknown, wrong or expired API key");
    }
    Principal principal =
        state.principal(Objects.requireNonNull(state.users().get(key.owner())), key.id());
    if (remembered(state).keys().add(key.id())) {
      audit.login(principal, source(token));
    }
    return principal;
  }

  /** Whether it is this user's password. */
  boolean isPassword(User user, String password) {
    return passwords.matches(password, user.hash());
  }
}
