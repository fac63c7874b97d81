/** Reading of a shard's logs by its copies: manifests, and the detection of lost operations. */
@NullMarked
package io.varve.host.log;

import org.jspecify.annotations.NullMarked;
