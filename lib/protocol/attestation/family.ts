import type { ClaimedEnclave, Endorsements, HardwareFindings } from './enclave';
import type { EnclaveChecks } from './enclave-checks';
import type { FamilyName } from './family-facts';
import type { EnclavePolicy } from './policy';

/**
 * Family of reports, defined by their format and not by their provider, because resellers use each other's formats.
 * Each family has an adapter in `families/`, an entry in `families.ts` and a row in `family-facts.ts`. Adapters have no
 * clock or connection. Only their `OwnCheck`s verify signatures.
 */
export interface FamilyAdapter {
  family: FamilyName;
  /**
   * Returns whether the answers have this family's JSON members. The first adapter that matches parses them.
   *
   * @param answers answers that are JSON objects and passed `assertBoundedJson`, in order of arrival, without
   *   endorsements
   */
  isSpokenBy: (answers: readonly FamilyAnswer[]) => boolean;
  /**
   * Parses the enclaves in the report's order. For a malformed quote or evidence, only a getter may throw, so that
   * other enclaves stay valid.
   *
   * @throws {Malformed} for a malformed report, or more than `ENCLAVES_MAX` enclaves
   */
  enclavesOf: (answers: readonly FamilyAnswer[]) => ClaimedEnclave[];
}

export const ENCLAVES_MAX = 64;

export interface FamilyAnswer {
  json: Readonly<Record<string, unknown>>;
  /** Body byte for byte, because Tinfoil's `gpu` member is hashed as received. */
  text: string;
}

export interface HardwareContext {
  endorsements: Endorsements;
  policy: EnclavePolicy;
  nowMs: number;
}

/**
 * Checks one maker's hardware: a pinned root certified it, the policy accepts its TCB, and debugging and migration are
 * off. Records each outcome in `checks` and never rejects. Missing evidence is `NotCheckable`; wrong evidence is
 * `CheckFailed`, `Malformed` or `Untrusted` (`lib/protocol/tee/check-list.ts`).
 *
 * @returns findings for later checks, even if a check failed; undefined if the evidence is unreadable
 */
export type HardwareCheck<Claim> = (
  claim: Claim,
  context: HardwareContext,
  checks: EnclaveChecks,
) => Promise<HardwareFindings | undefined>;

/** Release whose build a verified Sigstore bundle proves (`sigstore/verify-release.ts`). */
export interface VerifiedRelease {
  /** `https://github.com/OWNER/NAME`. */
  repository: string;
  commit: string;
  workflow: string;
  /** SHA-256 of the attested subject, lower-case hex. */
  subjectDigest: string;
  predicateType: string;
  predicate: unknown;
  /** Time of inclusion in the transparency log, Unix milliseconds. */
  loggedAtMs: number;
}
