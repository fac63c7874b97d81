/**
 * Replicas: copies that are given their segments, copies that apply the operations log, and the
 * endpoints from which segments are copied.
 */
@NullMarked
package io.varve.node.replica;

import org.jspecify.annotations.NullMarked;
