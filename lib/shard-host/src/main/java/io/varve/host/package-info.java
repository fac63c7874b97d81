/** What every node that holds shard copies shares: recovery, replay, serving. */
@NullMarked
package io.varve.host;

import org.jspecify.annotations.NullMarked;
