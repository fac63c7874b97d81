package io.varve.coordinator.security;

import io.varve.events.Json;
import io.varve.http.security.SecurityProperties;
import io.varve.rpc.ApiException;
import io.varve.security.BuiltInRoles;
import io.varve.security.SecurityCommand;
import io.varve.security.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.security.crypto.password.PasswordEncoder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Users and roles from the file {@code varve.security.users-file}, with the fields of the REST API
 * and hashes instead of passwords:
 *
 * <pre>
 *   {"users": {"admin": {"hash": "$2a$…", "opendistro_security_roles": ["admin"]}, …},
 *    "roles": {"NAME": {"cluster_permissions": […]}, …}}
 * </pre>
 *
 * The user {@code admin} is required; it is reserved as if the cluster had created it.
 */
final class UsersFile implements FirstUsers {

  private static final Set<String> SECTIONS = Set.of("users", "roles");

  private final Path file;
  private final List<SecurityCommand> commands;

  private UsersFile(Path file, List<SecurityCommand> commands) {
    this.file = file;
    this.commands = List.copyOf(commands);
  }

  /**
   * @throws IOException the file can't be read, users other than its owner may read it, or its
   *     content is refused
   */
  static UsersFile read(Path file, SecurityProperties properties, PasswordEncoder encoder)
      throws IOException {
    properties.requirePrivate(file);
    SecurityEndpoints kinds = SecurityEndpoints.rules(properties, encoder);
    List<SecurityCommand> commands = new ArrayList<>();
    try {
      JsonNode content = Json.mapper().readTree(Files.readAllBytes(file));
      for (String section : content.propertyNames()) {
        if (!SECTIONS.contains(section)) {
          throw RequestFields.refused("unknown field [" + section + "]");
        }
      }
      addAll(commands, kinds.roles(), content.path("roles"));
      addAll(commands, kinds.users(), content.path("users"));
    } catch (JacksonException | ApiException e) {
      throw new IOException("the file [" + file + "] is refused: " + e.getMessage(), e);
    }
    commands.replaceAll(UsersFile::reserved);
    if (commands.stream().noneMatch(UsersFile::isAdmin)) {
      throw new IOException("the file [" + file + "] lacks the user admin with the role admin");
    }
    return new UsersFile(file, commands);
  }

  private static void addAll(List<SecurityCommand> commands, EntityKind kind, JsonNode section) {
    section.forEachEntry((name, entity) -> {
      if (entity.has("password")) {
        throw RequestFields.refused("[" + name + "] has a password; the file takes a hash");
      }
      commands.add(
          kind.put()
              .apply(
                  name,
                  RequestFields.of(Json.mapper().convertValue(entity, Map.class), kind.fields()))
              .get());
    });
  }

  private static SecurityCommand reserved(SecurityCommand command) {
    return command instanceof SecurityCommand.PutUser(var user)
            && user.name().equals(BuiltInRoles.ADMIN)
        ? new SecurityCommand.PutUser(
            new User(
                user.name(),
                user.hash(),
                user.roles(),
                user.backendRoles(),
                user.attributes(),
                user.description(),
                true))
        : command;
  }

  private static boolean isAdmin(SecurityCommand command) {
    return command instanceof SecurityCommand.PutUser(var user)
        && user.reserved()
        && !user.hash().isEmpty()
        && user.roles().contains(BuiltInRoles.ADMIN);
  }

  @Override
  public List<SecurityCommand> commands() {
    return commands;
  }

  @Override
  public String notice() {
    return "users and roles were created from " + file;
  }
}
