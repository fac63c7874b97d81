/** The service that follows the indices of another cluster. */
@NullMarked
package io.varve.ccr;

import org.jspecify.annotations.NullMarked;
