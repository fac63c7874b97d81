/** The segment store as a shard's primary uses it: uploads, claims, garbage. */
@NullMarked
package io.varve.host.remote;

import org.jspecify.annotations.NullMarked;
