/** Spring's routing of requests, by raw paths. */
@NullMarked
package io.varve.http.route;

import org.jspecify.annotations.NullMarked;
