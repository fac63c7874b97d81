package io.varve.coordinator.security;

import io.varve.security.SecurityCommand;
import io.varve.security.SecurityState;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A kind of entity below {@code /_plugins/_security/api}.
 *
 * @param path of the kind
 * @param exampleBody a body that creates an entity
 * @param fields that a body may have
 * @param shown the entities of a state, by name, as responses show them
 * @param put reads the name and the fields of an entity; the command is made when the request runs
 * @param delete the command that deletes an entity
 */
record EntityKind(
    String path,
    String exampleBody,
    Set<String> fields,
    Function<SecurityState, Map<String, Map<String, Object>>> shown,
    BiFunction<String, RequestFields, Supplier<SecurityCommand>> put,
    Function<String, SecurityCommand> delete) {}
