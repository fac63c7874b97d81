/** Records logins, refusals and changes of security, indices and settings in the audit log. */
@NullMarked
package io.varve.coordinator.audit;

import org.jspecify.annotations.NullMarked;
