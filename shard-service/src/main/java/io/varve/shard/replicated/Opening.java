package io.varve.shard.replicated;

/**
 * A member since its last admission, as far as the primary knows. A copy may be opened several
 * times in one run of its process, and may then hold less than before; see {@link MemberProgress}.
 *
 * @param number of the admission; a member that needed none also has one
 */
record Opening(Member member, long number) {}
