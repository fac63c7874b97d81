package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.RestAccess;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * An HTTP/1.1 connection that can send malformed requests. It reconnects after a response that
 * closed the connection.
 */
final class RawConnection implements AutoCloseable {

  private final String host;
  private final int port;
  private final RestAccess access;
  private final int timeoutMillis;

  /** Below TLS: it can be closed while another thread reads. */
  private volatile Socket transport = new Socket();

  private Socket socket = transport;
  private InputStream in = InputStream.nullInputStream();
  private boolean open;
  private String previous = "nothing";

  /** Creates a connection; a timeout of 0 means none. */
  RawConnection(String url, RestAccess access, int timeoutMillis) {
    this.access = access;
    URI uri = URI.create(url);
    this.host = uri.getHost();
    this.port = uri.getPort();
    this.timeoutMillis = timeoutMillis;
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Reply(int status, String contentType, byte[] body) {
    boolean isText() {
      return contentType.contains("json") || contentType.contains("text");
    }

    String text() {
      return new String(body, UTF_8);
    }
  }

  /**
   * Sends a request; throws {@link java.net.SocketTimeoutException} if no response arrives in time.
   */
  Reply send(FuzzRequest request) throws IOException {
    if (!open) {
      connect();
    }
    try {
      write(request);
      Reply reply = read(request.method().equals("HEAD"));
      previous = request.shown() + " -> " + reply.status();
      return reply;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The last answered request and its response. */
  String previous() {
    return previous;
  }

  private void connect() throws IOException {
    transport = new Socket(host, port);
    transport.setTcpNoDelay(true);
    transport.setSoTimeout(timeoutMillis);
    socket =
        access.tls().isEmpty()
            ? transport
            : access.tls().get().getSocketFactory().createSocket(transport, host, port, true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    open = true;
  }

  private void write(FuzzRequest request) throws IOException {
    StringBuilder head = new StringBuilder();
    head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(host).append(':').append(port).append("\r\n");
    access
        .authorization()
        .get()
        .ifPresent(value -> head.append("Authorization: ").append(value).append("\r\n"));
    request.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("Content-Length: ").append(request.body().length).append("\r\n\r\n");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(head.length() + request.body().length);
    bytes.writeBytes(head.toString().getBytes(ISO_8859_1));
    bytes.writeBytes(request.body());
    socket.getOutputStream().write(bytes.toByteArray());
  }

  private Reply read(boolean head) throws IOException {
    String statusLine = line();
    if (!statusLine.matches("HTTP/1\\.1 \\d{3} .*")) {
      throw new IOException("not a status line: " + statusLine);
    }
    int status = Integer.parseInt(statusLine.substring(9, 12));
    int length = -1;
    boolean chunked = false;
    boolean last = false;
    String contentType = "";
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      } else if (lower.startsWith("content-type:")) {
        contentType = lower;
      } else if (lower.startsWith("connection:")) {
        last = lower.contains("close");
      }
    }
    byte[] body = head || status == 204 || status == 304 ? new byte[0] : body(length, chunked);
    if (last || (length < 0 && !chunked && !head)) {
      close();
    }
    return new Reply(status, contentType, body);
  }

  private byte[] body(int length, boolean chunked) throws IOException {
    if (!chunked) {
      return length < 0 ? in.readAllBytes() : in.readNBytes(length);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunk(); size > 0; size = chunk()) {
      body.writeBytes(in.readNBytes(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed by the server");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(ISO_8859_1);
  }

  /** Makes a {@link #send} in another thread fail. */
  void abort() {
    try {
      transport.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    open = false;
    socket.close();
  }
}
