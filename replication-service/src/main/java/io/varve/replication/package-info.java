/** The service that holds replicas and answers reads. */
@NullMarked
package io.varve.replication;

import org.jspecify.annotations.NullMarked;
