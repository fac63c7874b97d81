/** Logs as JSON. */
@NullMarked
package io.varve.standalone.log;

import org.jspecify.annotations.NullMarked;
