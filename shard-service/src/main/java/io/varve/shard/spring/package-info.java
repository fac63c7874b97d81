/** Auto-configuration that adds primaries to a process that hosts copies. */
@NullMarked
package io.varve.shard.spring;

import org.jspecify.annotations.NullMarked;
