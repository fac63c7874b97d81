package io.varve.coordinator.security;

import io.varve.http.security.SecurityProperties;
import io.varve.rest.JsonObjects;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestEndpoints;
import io.varve.security.BuiltInRoles;
import io.varve.security.IndexPermission;
import io.varve.security.Role;
import io.varve.security.RoleMapping;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityState;
import io.varve.security.User;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The endpoints of users, roles, mappings, accounts and API keys. */
public final class SecurityEndpoints {

  private static final Set<String> USER_FIELDS =
      Set.of(
          "password",
          "hash",
          "backend_roles",
          "opendistro_security_roles",
          "attributes",
          "description");
  private static final Set<String> ROLE_FIELDS =
      Set.of("cluster_permissions", "index_permissions", "tenant_permissions", "description");
  private static final Set<String> MAPPING_FIELDS =
      Set.of("users", "backend_roles", "hosts", "and_backend_roles", "description");
  private static final String DOCUMENT_RULES = "rules for single documents and fields do not exist";

  private final PasswordRules passwords;
  private final NameRules names;

  private SecurityEndpoints(PasswordRules passwords, NameRules names) {
    this.passwords = passwords;
    this.names = names;
  }

  static RestEndpoints of(
      SecurityStates security,
      SecurityCommands commands,
      SecurityConfiguration.Authentication authentication,
      SecurityProperties properties,
      InstantSource clock) {
    SecurityEndpoints kinds = rules(properties, authentication.passwords());
    List<RestEndpoint> all = new ArrayList<>();
    for (EntityKind kind : List.of(kinds.users(), kinds.roles(), kinds.mappings())) {
      all.add(new EntityEndpoint(kind, security, commands));
      all.add(new EntityPatchEndpoint(kind, commands));
    }
    all.add(new AccountEndpoint(security, commands, authentication.logins(), kinds.passwords));
    all.add(new AuthInfoEndpoint());
    all.add(new ApiKeyEndpoint(security, commands, authentication.secrets(), clock, kinds.names));
    return new RestEndpoints(all);
  }

  /** The kinds of entities, with the rules for new ones. */
  static SecurityEndpoints rules(SecurityProperties properties, PasswordEncoder encoder) {
    return new SecurityEndpoints(
        new PasswordRules(encoder, properties.passwordMinLength()),
        new NameRules(properties.nameMaxLength()));
  }

  EntityKind users() {
    return new EntityKind(
        "internalusers",
        "{\"password\":\"a-long-password\",\"backend_roles\":[\"readers\"]}",
        USER_FIELDS,
        SecurityEndpoints::shownUsers,
        this::putUser,
        SecurityCommand.DeleteUser::new);
  }

  private static Map<String, Map<String, Object>> shownUsers(SecurityState state) {
    Map<String, Map<String, Object>> shown = new TreeMap<>();
    state
        .users()
        .forEach((name, user) ->
            shown.put(
                name,
                JsonObjects.object(
                    "hash", "",
                    "reserved", user.reserved(),
                    "hidden", false,
                    "backend_roles", user.backendRoles(),
                    "attributes", user.attributes(),
                    "description", user.description(),
                    "opendistro_security_roles", user.roles(),
                    "static", false)));
    return shown;
  }

  private Supplier<SecurityCommand> putUser(String name, RequestFields body) {
    names.require(name);
    String password = body.text("password");
    String hash = body.text("hash");
    if (!password.isEmpty()) {
      passwords.require(password);
    } else if (!hash.isEmpty()) {
      hash = passwords.bcrypt(hash);
    }
    User user = user(name, hash, body);
    return () ->
        new SecurityCommand.PutUser(
            password.isEmpty() ? user : user.withHash(passwords.hash(password)));
  }

  private static User user(String name, String hash, RequestFields body) {
    return RequestFields.valid(() ->
        new User(
            name,
            hash,
            body.texts("opendistro_security_roles"),
            body.texts("backend_roles"),
            body.textMap("attributes"),
            body.text("description"),
            false));
  }

  EntityKind roles() {
    return new EntityKind(
        "roles",
        "{\"index_permissions\":[{\"index_patterns\":[\"logs-*\"],\"allowed_actions\":[\"read\"]}]}",
        ROLE_FIELDS,
        SecurityEndpoints::shownRoles,
        this::putRole,
        SecurityCommand.DeleteRole::new);
  }

  private static Map<String, Map<String, Object>> shownRoles(SecurityState state) {
    Map<String, Map<String, Object>> shown = new TreeMap<>();
    BuiltInRoles.ALL.values().forEach(role -> shown.put(role.name(), shown(role, true)));
    state.roles().values().forEach(role -> shown.put(role.name(), shown(role, false)));
    return shown;
  }

  private static Map<String, Object> shown(Role role, boolean builtIn) {
    return JsonObjects.object(
        "reserved", builtIn,
        "hidden", false,
        "description", role.description(),
        "cluster_permissions", role.clusterPermissions(),
        "index_permissions",
            role.indexPermissions().stream().map(SecurityEndpoints::shown).toList(),
        "tenant_permissions", List.of(),
        "static", builtIn);
  }

  private static Map<String, Object> shown(IndexPermission permission) {
    return JsonObjects.object(
        "index_patterns", permission.indexPatterns(),
        "fls", List.of(),
        "masked_fields", List.of(),
        "allowed_actions", permission.allowedActions());
  }

  private Supplier<SecurityCommand> putRole(String name, RequestFields body) {
    names.require(name);
    body.requireEmpty("tenant_permissions", "there are no tenants");
    List<IndexPermission> indices =
        body
            .objects(
                "index_permissions",
                Set.of("index_patterns", "allowed_actions", "dls", "fls", "masked_fields"))
            .stream()
            .map(SecurityEndpoints::indexPermission)
            .toList();
    Role role =
        RequestFields.valid(() ->
            new Role(name, body.text("description"), body.texts("cluster_permissions"), indices));
    return () -> new SecurityCommand.PutRole(role);
  }

  private static IndexPermission indexPermission(RequestFields fields) {
    fields.requireEmpty("dls", DOCUMENT_RULES);
    fields.requireEmpty("fls", DOCUMENT_RULES);
    fields.requireEmpty("masked_fields", DOCUMENT_RULES);
    return RequestFields.valid(
        () -> new IndexPermission(fields.texts("index_patterns"), fields.texts("allowed_actions")));
  }

  private EntityKind mappings() {
    return new EntityKind(
        "rolesmapping",
        "{\"users\":[\"reader\"],\"backend_roles\":[\"readers\"]}",
        MAPPING_FIELDS,
        SecurityEndpoints::shownMappings,
        this::putMapping,
        SecurityCommand.DeleteMapping::new);
  }

  private static Map<String, Map<String, Object>> shownMappings(SecurityState state) {
    Map<String, Map<String, Object>> shown = new TreeMap<>();
    state
        .mappings()
        .forEach((role, mapping) ->
            shown.put(
                role,
                JsonObjects.object(
                    "hosts", List.of(),
                    "users", mapping.users(),
                    "reserved", false,
                    "hidden", false,
                    "backend_roles", mapping.backendRoles(),
                    "and_backend_roles", List.of(),
                    "description", mapping.description())));
    return shown;
  }

  private Supplier<SecurityCommand> putMapping(String name, RequestFields body) {
    names.require(name);
    body.requireEmpty("hosts", "roles are given to users and backend roles");
    body.requireEmpty("and_backend_roles", "one of the backend roles suffices");
    RoleMapping mapping =
        RequestFields.valid(() ->
            new RoleMapping(
                name, body.texts("users"), body.texts("backend_roles"), body.text("description")));
    return () -> new SecurityCommand.PutMapping(mapping);
  }
}
