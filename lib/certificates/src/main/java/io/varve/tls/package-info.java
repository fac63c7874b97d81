/**
 * Certificates of the processes of a cluster: authority, files, identities, changes while running.
 */
@NullMarked
package io.varve.tls;

import org.jspecify.annotations.NullMarked;
