/**
 * The parts that all endpoints share: access to the cluster, and resolution of names to indices and
 * nodes.
 */
@NullMarked
package io.varve.coordinator.rest;

import org.jspecify.annotations.NullMarked;
