/** The service that pulls operations from indices of other clusters into follower indices. */
@NullMarked
package io.varve.ccr;

import org.jspecify.annotations.NullMarked;
