package io.varve.tls;

import io.varve.process.SecretFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The record of all certificates that were created in a folder. It is needed because a renewed
 * certificate replaces the file of its predecessor, which may still be valid. Each line of the file
 * has a serial number in hexadecimal and the name of the process.
 */
final class IssuedCertificates {

  private static final int HEX = 16;
  private static final String SERIAL = "[0-9A-Fa-f]{8,40}";

  private final Path file;

  IssuedCertificates(Path file) {
    this.file = file;
  }

  /** Must be called before the certificate is used. */
  void add(BigInteger serial, String name) throws IOException {
    String before = Files.exists(file) ? Files.readString(file) : "";
    SecretFile.write(file, before + serial.toString(HEX) + " " + name + "\n");
  }

  /**
   * The names of processes by the serial numbers of all their certificates.
   *
   * @param current those of the certificates in use, which the record of an earlier version lacks
   */
  Map<BigInteger, String> names(Map<BigInteger, String> current) throws IOException {
    Map<BigInteger, String> names = new LinkedHashMap<>(current);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int space = line.indexOf(' ');
        names.put(new BigInteger(line.substring(0, space), HEX), line.substring(space + 1));
      }
    }
    return names;
  }

  /**
   * The serial numbers of all certificates of a process, or the serial number in the text.
   *
   * @param current as in {@link #names}
   * @throws IOException the text is neither
   */
  Set<BigInteger> serials(String nodeOrSerial, Map<BigInteger, String> current) throws IOException {
    Set<BigInteger> serials = new TreeSet<>();
    names(current)
        .forEach((serial, name) -> {
          if (name.equals(nodeOrSerial)) {
            serials.add(serial);
          }
        });
    String digits = nodeOrSerial.replace(":", "");
    if (serials.isEmpty() && digits.matches(SERIAL)) {
      serials.add(new BigInteger(digits, HEX));
    }
    if (serials.isEmpty()) {
      throw new IOException(
          "["
              + nodeOrSerial
              + "] is neither a process nor a serial number of 8 to 40 hexadecimal digits");
    }
    return serials;
  }
}
