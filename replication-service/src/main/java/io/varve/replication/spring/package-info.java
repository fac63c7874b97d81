/** Offers replicas to a process that hosts copies. */
@NullMarked
package io.varve.replication.spring;

import org.jspecify.annotations.NullMarked;
