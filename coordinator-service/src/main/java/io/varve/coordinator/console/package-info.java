/** The console: static pages under {@code /_console/}, and a stream of pictures of the cluster. */
@NullMarked
package io.varve.coordinator.console;

import org.jspecify.annotations.NullMarked;
