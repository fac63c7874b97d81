/** Load on a running cluster, and the measurements taken under it. */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
