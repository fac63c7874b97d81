/**
 * Security of a coordinator: the security topic, authentication with Spring Security, and the guard
 * of the REST dialect. Nothing of it exists while security is off.
 */
@NullMarked
package io.varve.coordinator.security;

import org.jspecify.annotations.NullMarked;
