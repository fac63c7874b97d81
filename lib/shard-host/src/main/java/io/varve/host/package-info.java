/** The common part of nodes that hold shard copies: recovery, replay, serving. */
@NullMarked
package io.varve.host;

import org.jspecify.annotations.NullMarked;
