/** The demo: indexes a corpus that every checkout has and tells what happened. */
@NullMarked
package io.varve.standalone.demo;

import org.jspecify.annotations.NullMarked;
