package io.varve.coordinator.security;

import io.varve.coordinator.access.Access;
import io.varve.rest.JsonObjects;
import io.varve.rest.RequestExample;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.security.Principal;
import io.varve.security.SecurityCommand;
import io.varve.security.User;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Lets users see their account and change their own password. */
final class AccountEndpoint implements PluginEndpoint {

  private final SecurityStates security;
  private final SecurityCommands commands;
  private final Logins logins;
  private final PasswordRules passwords;

  AccountEndpoint(
      SecurityStates security, SecurityCommands commands, Logins logins, PasswordRules passwords) {
    this.security = security;
    this.commands = commands;
    this.logins = logins;
    this.passwords = passwords;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.PUT), API + "account");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"current_password\":\"a-long-password\",\"password\":\"another-password\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return request.method() == RestMethod.PUT ? change(request) : show();
  }

  private RestAction show() {
    return responder -> {
      Principal principal = Access.current().principal();
      User user = account(principal);
      responder.json(
          200,
          JsonObjects.object(
              "user_name", user.name(),
              "is_reserved", user.reserved(),
              "is_hidden", false,
              "is_internal_user", true,
              "backend_roles", user.backendRoles(),
              "custom_attribute_names", user.attributes().keySet(),
              "roles", new TreeSet<>(principal.roles())));
    };
  }

  private RestAction change(RestRequest request) {
    RequestFields body = RequestFields.of(request, Set.of("current_password", "password"));
    String current = body.text("current_password");
    String password = body.text("password");
    passwords.require(password);
    return responder -> {
      Principal principal = Access.current().principal();
      if (principal.apiKeyId() != null) {
        throw new ApiException(
            403, "security_exception", "an API key can't change the password of its user");
      }
      if (!logins.isPassword(account(principal), current)) {
        throw RequestFields.refused("Could not validate your current password.");
      }
      var _ =
          commands.execute(
              new SecurityCommand.ChangePassword(principal.name(), passwords.hash(password)));
      responder.json(200, EntityEndpoint.done("OK", "'" + principal.name() + "' updated."));
    };
  }

  private User account(Principal principal) {
    User user = security.current().state().users().get(principal.name());
    if (user == null) {
      throw new ApiException(404, "resource_not_found_exception", "the user was deleted");
    }
    return user;
  }
}
