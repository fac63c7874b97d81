/** The logs of a shard as its copies read them: the manifests, and whether operations were lost. */
@NullMarked
package io.varve.host.log;

import org.jspecify.annotations.NullMarked;
