/** What clients are promised of their reads and writes, and how copies are asked to keep it. */
@NullMarked
package io.varve.coordinator.rest.consistency;

import org.jspecify.annotations.NullMarked;
