/** Tails the clusters that are followed, and keeps the metadata of followers up to date. */
@NullMarked
package io.varve.coordinator.follow;

import org.jspecify.annotations.NullMarked;
