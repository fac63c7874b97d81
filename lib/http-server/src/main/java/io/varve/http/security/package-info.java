/**
 * Security that all services share: the default, the cluster secret, and the rights to call a node.
 */
@NullMarked
package io.varve.http.security;

import org.jspecify.annotations.NullMarked;
