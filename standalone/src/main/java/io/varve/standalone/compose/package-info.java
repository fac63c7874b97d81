/** Checks docker-compose.yml and the files that it mounts without a Docker daemon. */
@NullMarked
package io.varve.standalone.compose;

import org.jspecify.annotations.NullMarked;
