/** The routes of the REST dialect and the filters that every request passes. */
@NullMarked
package io.varve.rest.route;

import org.jspecify.annotations.NullMarked;
