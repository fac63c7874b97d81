package io.varve.coordinator.security;

import io.varve.events.Json;
import io.varve.rest.RequestExample;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes parts of one entity, or several entities of a kind, by a {@link JsonPatch}. The patch
 * applies to the JSON that {@code GET} shows, without what can't be changed:
 *
 * <pre>
 *   PATCH …/roles/{name}   to the entity:                  /description
 *   PATCH …/roles          to all entities, by their name: /logs/description, /logs
 * </pre>
 *
 * The entities that differ afterwards are put or deleted, all of them or none.
 */
record EntityPatchEndpoint(EntityKind kind, SecurityCommands commands) implements PluginEndpoint {

  private static final String NAME = "name";
  private static final Set<String> FIXED = Set.of("reserved", "hidden", "static");

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PATCH), API + kind.path(), API + kind.path() + "/{name}");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "[{\"op\":\"replace\",\"path\":\"/description\",\"value\":\"changed\"}]");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.param(NAME);
    JsonPatch patch = JsonPatch.of(request.requiredBody());
    return responder -> {
      commands.change(state -> command(state, name, patch));
      responder.json(
          200,
          EntityEndpoint.done(
              "OK", name == null ? "Resource updated." : "'" + name + "' updated."));
    };
  }

  private SecurityCommand.@Nullable ChangeAll command(
      SecurityState state, @Nullable String name, JsonPatch patch) {
    ObjectNode before = entities(state);
    JsonNode after = name == null ? patch.appliedTo(before) : with(before, name, patch);
    List<SecurityCommand> changes = new ArrayList<>();
    before.propertyNames().stream()
        .filter(known -> !after.has(known))
        .forEach(known -> changes.add(kind.delete().apply(known)));
    after.forEachEntry((entity, fields) -> {
      if (!fields.equals(before.get(entity))) {
        changes.add(kind.put().apply(entity, fields(entity, fields)).get());
      }
    });
    return changes.isEmpty() ? null : new SecurityCommand.ChangeAll(state.version(), changes);
  }

  private ObjectNode entities(SecurityState state) {
    ObjectNode entities = Json.mapper().valueToTree(kind.shown().apply(state));
    entities.forEach(entity -> ((ObjectNode) entity).remove(FIXED));
    return entities;
  }

  private static ObjectNode with(ObjectNode entities, String name, JsonPatch patch) {
    JsonNode entity = entities.get(name);
    if (entity == null) {
      throw EntityEndpoint.notFound(name);
    }
    ObjectNode with = entities.deepCopy();
    with.set(name, patch.appliedTo(entity));
    return with;
  }

  private RequestFields fields(String name, JsonNode entity) {
    if (!entity.isObject()) {
      throw RequestFields.refused("[" + name + "] must be an object");
    }
    return RequestFields.of(Json.mapper().convertValue(entity, Map.class), kind.fields());
  }
}
