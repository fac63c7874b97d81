/** How names are matched, in all parts alike. */
@NullMarked
package io.varve.names;

import org.jspecify.annotations.NullMarked;
