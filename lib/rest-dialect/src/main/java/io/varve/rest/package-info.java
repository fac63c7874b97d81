/** The REST dialect: routes, requests, answers, body formats and errors. */
@NullMarked
package io.varve.rest;

import org.jspecify.annotations.NullMarked;
