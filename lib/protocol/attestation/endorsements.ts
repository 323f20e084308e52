/** Third-party endorsements of hardware and workload (RFC 9334), unverified, for all enclaves of a report. */
export interface Endorsements {
  /** Intel collateral as PCCS clients return it, in unvalidated JSON. FMSPC and authority identify an entry. */
  tdxCollateral: readonly unknown[];
  /** DER certificates from AMD's key distribution service, in any order: VCEKs or VLEKs, ASKs, ARKs. */
  amdCertificates: readonly Uint8Array[];
  amdRevocationLists: readonly Uint8Array[];
  nvidiaVerdicts: readonly unknown[];
  /** Key sets (RFC 7517) of NVIDIA's attestation service. */
  nvidiaKeySets: readonly unknown[];
  /** NVIDIA's error message if its service returned no verdict. */
  nvidiaFault: string | null;
  /** Sigstore bundles (`application/vnd.dev.sigstore.bundle…`), as unvalidated JSON. */
  sigstoreBundles: readonly unknown[];
  /** SHA-256 digests of the releases that the provider names, lower-case hex. */
  releaseDigests: readonly string[];
}
