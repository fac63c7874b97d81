/**
 * Reads the cluster logs of followed clusters, keeps the metadata of followers up to date, and
 * executes auto-follow.
 */
@NullMarked
package io.varve.coordinator.follow;

import org.jspecify.annotations.NullMarked;
