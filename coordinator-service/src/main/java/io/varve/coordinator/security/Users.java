package io.varve.coordinator.security;

import io.varve.rpc.ApiException;
import io.varve.security.Principal;
import java.util.List;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Varve's users in Spring Security. */
public final class Users {

  private Users() {}

  /** An authenticated user. */
  static final class Authenticated extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final transient Principal principal;

    Authenticated(Principal principal) {
      super(List.of());
      this.principal = principal;
      setAuthenticated(true);
    }

    @Override
    public Object getCredentials() {
      return "";
    }

    @Override
    public Principal getPrincipal() {
      return principal;
    }

    @Override
    public String getName() {
      return principal.name();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Authenticated user && user.principal.equals(principal);
    }

    @Override
    public int hashCode() {
      return principal.hashCode();
    }
  }

  /** The API key that a client sent. */
  static final class KeyToken extends AbstractAuthenticationToken {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final String key;

    KeyToken(String id, String key) {
      super(List.of());
      this.id = id;
      this.key = key;
    }

    @Override
    public String getCredentials() {
      return key;
    }

    @Override
    public String getPrincipal() {
      return id;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return id.hashCode();
    }
  }

  /**
   * The user of the request on this thread.
   *
   * @throws ApiException 401: the request was not authenticated
   */
  public static Principal current() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication instanceof Authenticated user) {
      return user.getPrincipal();
    }
    throw new ApiException(401, "security_exception", "Authentication is required");
  }
}
