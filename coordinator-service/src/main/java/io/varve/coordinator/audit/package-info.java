/** Who logged in, was refused, or changed security, indices or settings: a topic for auditors. */
@NullMarked
package io.varve.coordinator.audit;

import org.jspecify.annotations.NullMarked;
