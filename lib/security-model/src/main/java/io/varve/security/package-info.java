/** Users, roles, API keys, and the decision whether an action is allowed. */
@NullMarked
package io.varve.security;

import org.jspecify.annotations.NullMarked;
