package io.varve.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A persistent HTTP/1.1 connection that uses as little CPU as possible, because the load generator
 * runs on the same machine as the server.
 */
final class HttpConnection implements AutoCloseable {

  private static final int READ_TIMEOUT_MILLIS = 120_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String host;
  private final String authorization;

  HttpConnection(String url) throws IOException {
    this(url, ServerAccess.PLAIN);
  }

  HttpConnection(String url, ServerAccess access) throws IOException {
    URI uri = URI.create(url);
    host = uri.getHost() + ":" + uri.getPort();
    authorization =
        access.authorization().isEmpty() ? "" : "\r\nAuthorization: " + access.authorization();
    socket =
        access.tls().isPresent()
            ? secured(access.tls().get(), uri)
            : new Socket(uri.getHost(), uri.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    out = socket.getOutputStream();
  }

  private static Socket secured(SSLContext tls, URI uri) throws IOException {
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(uri.getHost(), uri.getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return socket;
  }

  /** Status and body. */
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(int status, byte[] body) {
    String text() {
      return new String(body, UTF_8);
    }
  }

  Answer call(String method, String path, String contentType, byte[] body) throws IOException {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nContent-Type: "
            + contentType
            + "\r\nContent-Length: "
            + body.length
            + authorization
            + "\r\n\r\n";
    byte[] headBytes = head.getBytes(ISO_8859_1);
    byte[] request = new byte[headBytes.length + body.length];
    System.arraycopy(headBytes, 0, request, 0, headBytes.length);
    System.arraycopy(body, 0, request, headBytes.length, body.length);
    out.write(request);
    out.flush();
    return readAnswer(method.equals("HEAD"));
  }

  private Answer readAnswer(boolean headOnly) throws IOException {
    int status = Integer.parseInt(readLine().split(" ")[1]);
    int length = 0;
    boolean chunked = false;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      }
    }
    if (headOnly) {
      return new Answer(status, new byte[0]);
    }
    return new Answer(status, chunked ? readChunks() : readFully(length));
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(readLine().strip().split(";")[0], 16);
      if (size == 0) {
        while (!readLine().isEmpty()) {
          // Trailers are not needed.
        }
        return body.toByteArray();
      }
      body.write(readFully(size));
      readLine();
    }
  }

  private byte[] readFully(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("closed by the server");
    }
    return bytes;
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed by the server");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
