/** The format of logs, and a filter for one of their lines. */
@NullMarked
package io.varve.standalone.log;

import org.jspecify.annotations.NullMarked;
