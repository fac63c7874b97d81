package io.varve.coordinator.audit;

import io.varve.coordinator.access.Access;
import io.varve.coordinator.access.RouteAction;
import io.varve.http.audit.AuditEvent;
import io.varve.http.audit.AuditLog;
import io.varve.http.route.RawPath;
import io.varve.rest.RequestRunner;
import io.varve.rest.RestMethod;
import io.varve.rpc.ApiException;
import io.varve.security.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records the actions of requests, and the actions that were refused. */
public final class Audit {

  private static final Principal NOBODY = new Principal("", List.of(), Set.of(), null);
  private static final int SUCCEEDED = 200;
  private static final int FAILED = 500;
  private static final int FORBIDDEN = 403;

  private final AuditLog log;
  private final String node;
  private final InstantSource clock;

  /** The requested action and its target; empty for a login. */
  private record Call(String remoteAddress, String method, String path, String action) {}

  /**
   * @param node the name of this coordinator
   */
  public Audit(AuditLog log, String node, InstantSource clock) {
    this.log = log;
    this.node = node;
    this.clock = clock;
  }

  /**
   * Runs a request of the dialect, and records it if it is a change or was refused. Refused items
   * of an accepted request are recorded together.
   *
   * @throws ApiException of the request, or 503: it is a change that can't be recorded, and was not
   *     run
   */
  public void around(
      HttpServletRequest http,
      Access access,
      RestMethod method,
      RouteAction route,
      RequestRunner.Action request)
      throws InterruptedException {
    Call call = call(http, route.action());
    AuditLog.Place place = AuditedActions.isChange(method, route.action()) ? log.reserve() : null;
    int status = FAILED;
    try {
      request.run();
      status = SUCCEEDED;
    } catch (ApiException e) {
      status = e.error().status();
      throw e;
    } finally {
      record(access, call, status, place);
    }
  }

  private void record(Access access, Call call, int status, AuditLog.@Nullable Place place) {
    Principal user = access.principal();
    List<String> names = access.refused().end(later -> refusedItems(user, call, later));
    boolean refused = status == FORBIDDEN;
    AuditEvent.Kind kind = refused ? AuditEvent.Kind.REFUSED : AuditEvent.Kind.CHANGE;
    List<String> what = refused ? names : List.of();
    if (place != null) {
      place.write(event(kind, user, call, status, what));
    } else if (refused) {
      log.offer(event(kind, user, call, status, what));
    }
    if (!refused && !names.isEmpty()) {
      refusedItems(user, call, names);
    }
  }

  private void refusedItems(Principal user, Call call, List<String> names) {
    log.offer(event(AuditEvent.Kind.REFUSED, user, call, FORBIDDEN, names));
  }

  /** A request was refused before its route was found. */
  public void refused(HttpServletRequest http, String action, int status) {
    log.offer(event(AuditEvent.Kind.REFUSED, NOBODY, call(http, action), status, List.of()));
  }

  /** A password or a key was accepted. */
  public void login(Principal user, String remoteAddress) {
    log.offer(login(AuditEvent.Kind.LOGIN, user, remoteAddress, SUCCEEDED));
  }

  /** A password or a key was not accepted. The name is what the client sent. */
  public void loginFailed(String name, String remoteAddress, int status) {
    Principal claimed = new Principal(name, List.of(), Set.of(), null);
    log.offer(login(AuditEvent.Kind.LOGIN_FAILED, claimed, remoteAddress, status));
  }

  private AuditEvent login(AuditEvent.Kind kind, Principal user, String remoteAddress, int status) {
    return event(kind, user, new Call(remoteAddress, "", "", ""), status, List.of());
  }

  private static Call call(HttpServletRequest http, String action) {
    return new Call(
        String.valueOf(http.getRemoteAddr()), http.getMethod(), RawPath.of(http), action);
  }

  private AuditEvent event(
      AuditEvent.Kind kind, Principal user, Call call, int status, List<String> refused) {
    return new AuditEvent(
        newId(),
        clock.millis(),
        node,
        kind,
        user.name(),
        user.apiKeyId(),
        call.remoteAddress(),
        call.method(),
        call.path(),
        call.action(),
        status,
        refused,
        "");
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
