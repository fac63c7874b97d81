/** The REST dialect that clients speak: routes, parameters, bodies, errors, tables. */
@NullMarked
package io.varve.coordinator.rest;

import org.jspecify.annotations.NullMarked;
