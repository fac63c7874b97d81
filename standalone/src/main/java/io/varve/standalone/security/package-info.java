/** {@code varve security}: certificates of a cluster's processes. */
@NullMarked
package io.varve.standalone.security;

import org.jspecify.annotations.NullMarked;
