/** What every node that holds shard copies shares: recovery, replay, serving. */
@NullMarked
package io.varve.node;

import org.jspecify.annotations.NullMarked;
