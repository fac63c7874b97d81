/** TCP proxies that behave like a slow or broken network link. */
@NullMarked
package io.varve.standalone.link;

import org.jspecify.annotations.NullMarked;
