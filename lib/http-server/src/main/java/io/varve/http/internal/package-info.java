/** Endpoints between processes, under {@code /_internal/}: their routes, filters and bodies. */
@NullMarked
package io.varve.http.internal;

import org.jspecify.annotations.NullMarked;
