/** The form of logs, and a line that they leave out. */
@NullMarked
package io.varve.standalone.log;

import org.jspecify.annotations.NullMarked;
