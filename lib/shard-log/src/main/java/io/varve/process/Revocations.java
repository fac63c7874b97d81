package io.varve.process;

import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The revoked certificates, according to the newest list of each trusted authority.
 *
 * <p>The rules for a file with lists, in which {@code number} is that of the list:
 *
 * <pre>
 *   missing, and there was none            nothing is revoked
 *   missing, and there was one             refused
 *   unreadable, or without a number        refused
 *   no list of a trusted authority         refused; while an authority is replaced, the file may
 *                                          also have lists of others, which are ignored
 *   number smaller than the one before     refused
 *   the same number, other content         refused
 *   none of an authority that had one      its list stays, as long as the authority is trusted
 *   after the time of its next update      in use: a certificate does not become valid again
 * </pre>
 *
 * If a file is refused, the lists before it stay in use. INVARIANT: while a process runs and trusts
 * an authority, no revoked certificate of this authority becomes valid again, except by a newer
 * list.
 */
public record Revocations(List<RevocationList> lists) {

  public static final Revocations NONE = new Revocations(List.of());

  /** The decision about a file. */
  public sealed interface Outcome {

    /** It is in use. */
    record Accepted(Revocations revocations) implements Outcome {}

    /** The previous lists stay in use. */
    record Refused(String reason) implements Outcome {}
  }

  public Revocations {
    lists = List.copyOf(lists);
  }

  /**
   * Decides about a file.
   *
   * @param text its content; null: there is no file
   * @param authorities the currently trusted ones
   */
  public Outcome next(@Nullable String text, Collection<X509Certificate> authorities) {
    if (text == null) {
      return lists.isEmpty()
          ? new Outcome.Accepted(NONE)
          : new Outcome.Refused("it is missing, and there was one");
    }
    try {
      return next(RevocationList.signed(text, authorities), authorities);
    } catch (IOException e) {
      return new Outcome.Refused(String.valueOf(e.getMessage()));
    }
  }

  private Outcome next(List<RevocationList> given, Collection<X509Certificate> authorities) {
    if (given.isEmpty()) {
      return new Outcome.Refused("none of its lists is signed by a trusted authority");
    }
    Set<PublicKey> signers = new HashSet<>();
    for (RevocationList list : given) {
      if (!signers.add(list.authority().getPublicKey())) {
        return new Outcome.Refused("it has two lists of one authority");
      }
      Optional<RevocationList> before = of(list.authority());
      if (before.isPresent() && !follows(list, before.get())) {
        return new Outcome.Refused(
            "its number %s must be greater than %s, which was in use"
                .formatted(list.number(), before.get().number()));
      }
    }
    List<RevocationList> next = new ArrayList<>(given);
    lists.stream()
        .filter(list -> !signers.contains(list.authority().getPublicKey()))
        .filter(list -> authorities.stream().anyMatch(list::isOf))
        .forEach(next::add);
    return new Outcome.Accepted(new Revocations(next));
  }

  private static boolean follows(RevocationList list, RevocationList before) {
    int order = list.number().compareTo(before.number());
    return order > 0 || (order == 0 && list.revoked().equals(before.revoked()));
  }

  private Optional<RevocationList> of(X509Certificate authority) {
    return lists.stream().filter(list -> list.isOf(authority)).findFirst();
  }

  /** When the certificate was revoked; empty if it was not. */
  public Optional<Instant> revokedAt(X509Certificate certificate) {
    return lists.stream()
        .filter(list ->
            list.authority().getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
        .map(list -> list.revoked().get(certificate.getSerialNumber()))
        .filter(Objects::nonNull)
        .findFirst();
  }

  public boolean revokes(X509Certificate certificate) {
    return !lists.isEmpty() && revokedAt(certificate).isPresent();
  }

  /** Whether the time of the next update of a list has passed. */
  public boolean isOutdated(Instant now) {
    return lists.stream()
        .map(RevocationList::nextUpdate)
        .anyMatch(next -> next != null && next.isBefore(now));
  }

  /** How many certificates are revoked. */
  public int count() {
    return (int)
        lists.stream().flatMap(list -> list.revoked().keySet().stream()).distinct().count();
  }
}
