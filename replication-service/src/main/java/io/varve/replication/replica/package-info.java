/** Replicas: copies that receive their segments, and copies that apply the operations log. */
@NullMarked
package io.varve.replication.replica;

import org.jspecify.annotations.NullMarked;
