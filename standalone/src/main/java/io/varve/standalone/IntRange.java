package io.varve.standalone;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the value of an option to an integer between {@code min} and {@code max}, inclusive. */
public abstract class IntRange implements ITypeConverter<Integer> {

  private final int min;
  private final int max;

  protected IntRange(int min, int max) {
    this.min = min;
    this.max = max;
  }

  /** A TCP port. */
  public static final class Port extends IntRange {
    public Port() {
      super(1, 65535);
    }
  }

  @Override
  public Integer convert(String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be an integer, was [" + value + "]");
    }
    throw new TypeConversionException("must be " + min + " to " + max + ", was [" + value + "]");
  }
}
