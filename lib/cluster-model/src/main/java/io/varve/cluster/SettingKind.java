package io.varve.cluster;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The valid values of a setting, and the errors for invalid ones. */
public sealed interface SettingKind {

  /** The error for an invalid {@code value}; {@code null} if it is valid. */
  @Nullable ErrorBody refusal(String name, String value);

  /** A whole number. */
  record Whole(long min, long max) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      String failed = "Failed to parse value [" + value + "] for setting [" + name + "]";
      try {
        long number = Long.parseLong(value);
        if (number < min) {
          return ErrorBody.illegalArgument(failed + " must be >= " + min);
        }
        return number > max ? ErrorBody.illegalArgument(failed + " must be <= " + max) : null;
      } catch (NumberFormatException e) {
        return ErrorBody.illegalArgument(failed);
      }
    }
  }

  /** A number with or without a fraction. */
  record Fraction() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      try {
        Double.parseDouble(value);
        return null;
      } catch (NumberFormatException e) {
        return ErrorBody.illegalArgument(
            "Failed to parse value [" + value + "] for setting [" + name + "]");
      }
    }
  }

  /** A number with or without a fraction, not less than {@code min}. */
  record AtLeast(double min) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      ErrorBody unreadable = new Fraction().refusal(name, value);
      return unreadable != null || Double.parseDouble(value) >= min
          ? unreadable
          : ErrorBody.illegalArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= " + min);
    }
  }

  /** From {@code min} on, less than {@code end}. */
  record Between(double min, double end) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      ErrorBody unreadable = new Fraction().refusal(name, value);
      if (unreadable != null) {
        return unreadable;
      }
      double number = Double.parseDouble(value);
      return number >= min && number < end
          ? null
          : ErrorBody.illegalArgument(
              "Failed to parse value ["
                  + value
                  + "] for setting ["
                  + name
                  + "] must be >= "
                  + min
                  + " and < "
                  + end);
    }
  }

  /** From {@code min} to {@code max}. */
  record Within(double min, double max) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      ErrorBody tooSmall = new AtLeast(min).refusal(name, value);
      return tooSmall != null || Double.parseDouble(value) <= max
          ? tooSmall
          : ErrorBody.illegalArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be <= " + max);
    }
  }

  /** A whole number, or {@code true} or {@code false}. */
  record CountOrFlag() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return value.matches("\\d{1,9}") ? null : new Flag().refusal(name, value);
    }
  }

  /** From 0 to 1. */
  record Share() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      ErrorBody unreadable = new Fraction().refusal(name, value);
      if (unreadable != null) {
        return unreadable;
      }
      double share = Double.parseDouble(value);
      if (share >= 0 && share <= 1) {
        return null;
      }
      return ErrorBody.illegalArgument(
          "Failed to parse value ["
              + value
              + "] for setting ["
              + name
              + "] must be "
              + (share > 1 ? "<= 1.0" : ">= 0.0"));
    }
  }

  /** A duration from {@code minMillis} to {@code maxMillis}; -1 stands for never. */
  record Time(long minMillis, long maxMillis) implements SettingKind {

    /** A duration without an upper bound. */
    public Time(long minMillis) {
      this(minMillis, Long.MAX_VALUE);
    }

    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      try {
        long millis = TimeValues.parseMillis(name, value);
        if (millis < minMillis) {
          return outside(name, value, ">= [" + minMillis);
        }
        return millis > maxMillis ? outside(name, value, "<= [" + maxMillis) : null;
      } catch (ApiException e) {
        return e.error();
      }
    }

    private static ErrorBody outside(String name, String value, String bound) {
      return ErrorBody.illegalArgument(
          "failed to parse value ["
              + value
              + "] for setting ["
              + name
              + "], must be "
              + bound
              + "ms]");
    }
  }

  /** A number of bytes with its unit, or a percentage. */
  record Bytes() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return value
              .trim()
              .toLowerCase(Locale.ROOT)
              .matches("-1|0|\\d+(\\.\\d+)?(b|k|kb|m|mb|g|gb|t|tb|p|pb|%)")
          ? null
          : ErrorBody.of(
              400,
              "parse_exception",
              "failed to parse setting ["
                  + name
                  + "] with value ["
                  + value
                  + "] as a size in bytes: unit is missing or unrecognized");
    }
  }

  /** A number of bytes with its unit, between two. */
  record Size(long min, long max) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      try {
        long bytes = ByteValues.parseBytes(name, value);
        return bytes >= min && bytes <= max
            ? null
            : ErrorBody.illegalArgument(
                "failed to parse value ["
                    + value
                    + "] for setting ["
                    + name
                    + "], must be >= ["
                    + min
                    + "b] and <= ["
                    + max
                    + "b]");
      } catch (ApiException e) {
        return e.error();
      }
    }
  }

  /** {@code true} or {@code false}. */
  record Flag() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return value.equals("true") || value.equals("false")
          ? null
          : ErrorBody.illegalArgument(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    }
  }

  /** One of a few words. {@code refusal} is the text before the refused value. */
  record Choice(List<String> values, String refusal, String after) implements SettingKind {
    public Choice {
      values = List.copyOf(values);
    }

    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return values.contains(value) ? null : ErrorBody.illegalArgument(refusal + value + after);
    }
  }

  /** A choice that Varve doesn't offer: only the value that describes its behaviour is valid. */
  record Only(String value) implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String given) {
      return value.equals(given)
          ? null
          : ErrorBody.illegalArgument(
              "[" + given + "] is not supported for setting [" + name + "], only [" + value + "]");
    }
  }

  /** Bounds of a number of replicas. */
  record Expansion() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      try {
        var _ = AutoExpansion.parse(value);
        return null;
      } catch (ApiException e) {
        return e.error();
      }
    }
  }

  /** A number of copies, or {@code all}. */
  record Copies() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      if (value.equals("all") || value.matches("\\d{1,9}")) {
        return null;
      }
      return ErrorBody.illegalArgument(
          value.matches("-\\d{1,9}")
              ? "shard count cannot be a negative value"
              : "cannot parse ActiveShardCount[" + value + "]");
    }
  }

  /** A level of a logger, in upper or lower case. */
  record LogLevel() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return LoggerLevels.Level.named(value).isPresent()
          ? null
          : ErrorBody.illegalArgument(
              "Unknown level constant [" + value.strip().toUpperCase(Locale.ROOT) + "].");
    }
  }

  /** Anything. */
  record Text() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return null;
    }
  }

  /** The name of a file in a folder that a process configures. */
  record FileName() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return value.matches("[-\\w.]{1,255}") && !value.startsWith(".")
          ? null
          : ErrorBody.illegalArgument(
              "Failed to parse value ["
                  + value
                  + "] for setting ["
                  + name
                  + "], must be the name of a file without a folder");
    }
  }

  /** Addresses, separated by commas. */
  record Addresses() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      for (String address : value.split("\\s*,\\s*")) {
        if (!address.isBlank() && !RemoteAddresses.isAddress(address.strip())) {
          return ErrorBody.illegalArgument(
              "Failed to parse value ["
                  + value
                  + "] for setting ["
                  + name
                  + "], must be host:port, or several separated by commas");
        }
      }
      return null;
    }
  }

  /** Set by the system, never by a client. */
  record Given() implements SettingKind {
    @Override
    public @Nullable ErrorBody refusal(String name, String value) {
      return ErrorBody.of(
          400,
          "validation_exception",
          "Validation Failed: 1: private index setting [" + name + "] can not be set explicitly;");
    }
  }
}
