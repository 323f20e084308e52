/**
 * What others say of the hardware and the workload (endorsements, RFC 9334), not believed before it is verified. It is
 * one pool for all enclaves of a report: each check takes from it what is of its platform, whoever handed it over.
 */
export interface Endorsements {
  /** Collateral of Intel's in the form of PCCS clients, parsed JSON, not read yet; that of a quote is found by FMSPC and authority. */
  tdxCollateral: readonly unknown[];
  /** Certificates of AMD's key distribution service in DER: VCEKs or VLEKs, ASKs, ARKs, in any order. */
  amdCertificates: readonly Uint8Array[];
  /** Revocation lists of AMD's in DER. */
  amdRevocationLists: readonly Uint8Array[];
  /** Verdicts of NVIDIA's attestation service, as they came: parsed JSON. */
  nvidiaVerdicts: readonly unknown[];
  /** Key sets of that service (RFC 7517): parsed JSON. */
  nvidiaKeySets: readonly unknown[];
  /** Why there is no verdict, in whoever's words; null where there is no reason to tell. */
  nvidiaFault: string | null;
  /** Sigstore bundles (`application/vnd.dev.sigstore.bundle…`), parsed JSON, not read yet. */
  sigstoreBundles: readonly unknown[];
  /** Digests of releases, lower-case hex of SHA-256, as the provider names them beside those bundles. */
  releaseDigests: readonly string[];
}
