/**
 * Records logins, refusals and changes of security, indices and settings in a topic for auditors.
 */
@NullMarked
package io.varve.coordinator.audit;

import org.jspecify.annotations.NullMarked;
