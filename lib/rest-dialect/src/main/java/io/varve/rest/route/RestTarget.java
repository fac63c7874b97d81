package io.varve.rest.route;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;

/**
 * An endpoint as the target of one of its routes.
 *
 * @param kindOfWork under which its requests are counted
 * @param template the template of the route, as metrics show it
 */
record RestTarget(RestEndpoint endpoint, RestMethod method, String kindOfWork, String template) {}
