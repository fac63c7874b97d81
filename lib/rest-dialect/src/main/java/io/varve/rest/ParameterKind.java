package io.varve.rest;

/** What an endpoint takes a parameter for, as far as the way in which it reads it tells. */
public enum ParameterKind {
  TEXT,
  FLAG,
  INTEGER,
  LONG,
  TIME,
  LIST
}
