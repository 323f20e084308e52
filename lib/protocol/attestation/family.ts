import type { ClaimedEnclave, HardwareFindings } from './enclave';
import type { EnclaveChecks } from './enclave-checks';
import type { Endorsements } from './endorsements';
import type { FamilyName } from './family-facts';
import type { EnclavePolicy } from './policy';

/**
 * A family of reports: how the providers that speak it answer, told by the shape of what they answer and never by a
 * host or a provider's name, since resellers answer in the shapes of others.
 *
 * A family is a module with one `FamilyAdapter`, in `families/` (`families/tinfoil.ts` for Tinfoil's), is listed in
 * `families.ts`, and has its row in `family-facts.ts`. It is pure: no clock, no connection, no cryptography beyond hashes.
 */
export interface FamilyAdapter {
  family: FamilyName;
  /**
   * Whether these answers are of this family, by the names and types of a few members. Looks at nothing deep. The first
   * adapter of the list that says so reads them.
   *
   * @param answers everything that was answered which is a JSON object and no endorsement, in the order in which it came,
   *   bounded (`assertBoundedJson`)
   */
  isSpokenBy: (answers: readonly FamilyAnswer[]) => boolean;
  /**
   * Reads the enclaves in the order in which the report has them. What concerns one enclave alone must not throw here but
   * in a getter of that enclave, so that it fails alone.
   *
   * @throws {Malformed} where the report as a whole cannot be read, or has more enclaves than `ENCLAVES_MAX`
   */
  enclavesOf: (answers: readonly FamilyAnswer[]) => ClaimedEnclave[];
}

/** More instances than any model has; a report of more is refused before any of them is looked at. */
export const ENCLAVES_MAX = 64;

/** One answer of a provider. */
export interface FamilyAnswer {
  json: Readonly<Record<string, unknown>>;
  /** The body byte for byte, for what is hashed as it came (Tinfoil's `gpu`). */
  text: string;
}

/** What a check of hardware is given beside the claim itself. */
export interface HardwareContext {
  endorsements: Endorsements;
  policy: EnclavePolicy;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/**
 * Checks of one maker's hardware: that it signed the evidence, under a pinned root, in a state that the policy accepts,
 * at this time, without debug or migration. Makes its checks on the list, each with what it saw, and never rejects. What
 * is not there makes `NotCheckable`, what does not fit `CheckFailed`, `Malformed` or `Untrusted`
 * (`lib/protocol/tee/check-list.ts`).
 *
 * AMD's is `verifySevSnp: HardwareCheck<SevSnpClaim>` of `sev-snp/verify-sev-snp.ts`, Intel's `verifyTdx` of `tdx/verify-tdx.ts`.
 *
 * @returns what the evidence says, as soon as it can be read, for the checks that follow (which the verdict weighs
 *   together: findings of evidence that failed make no enclave good); undefined where it cannot be read
 */
export type HardwareCheck<Claim> = (
  claim: Claim,
  context: HardwareContext,
  checks: EnclaveChecks,
) => Promise<HardwareFindings | undefined>;

/** Where a release was built, as a verified Sigstore bundle says (`sigstore/verify-release.ts`). */
export interface VerifiedRelease {
  /** `https://github.com/OWNER/NAME`. */
  repository: string;
  /** Lower-case hex. */
  commit: string;
  /** The workflow with its path and reference, as Fulcio certified it. */
  workflow: string;
  /** Lower-case hex of SHA-256: what was attested. */
  subjectDigest: string;
  predicateType: string;
  /** The predicate, parsed JSON, for its measurements. */
  predicate: unknown;
  /** When the log took it in, milliseconds since 1970. */
  loggedAtMs: number;
}
