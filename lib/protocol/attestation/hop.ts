import type { EnclaveKey, EnclaveVerdict, EnclaveVerdictName } from './enclave';
import type { ReportedEnclave } from './reported-enclaves';

/** `router` is an enclave in front of the model's enclave. */
export type HopKind = 'client' | 'gateway' | 'provider' | 'router' | 'model' | 'gpu';

/** `metadata` is a request's time, size and model. */
export type HopReads = 'content' | 'metadata';

/** Protection of a hop: none, a claim, encryption to a later hop's key, or evidence of the hop's hardware. */
export type HopProof = 'none' | 'claim' | 'encryption' | 'attestation';

/**
 * How well a hop's protection is proved. `own`: the client itself. `claim`: no evidence to check. `unchecked`: evidence
 * that was not checked.
 */
export type HopStanding = 'own' | 'claim' | 'unchecked' | EnclaveVerdictName;

export interface Hop {
  kind: HopKind;
  /** Host, provider or instance. */
  name: string | null;
  reads: HopReads;
  proof: HopProof;
  standing: HopStanding;
  text: { operator: string; reads: string; proof: string };
}

export interface HopRequest {
  /**
   * `page` is the gateway's own web page; `program` is independent of the gateway. `unknown` if the description is for
   * no particular client.
   */
  client: 'page' | 'program' | 'unknown';
  gateway: string | null;
  /** Provider that claims to run the model. */
  provider: string | null;
  isAttested: boolean;
  /** Key type of end-to-end encryption; null without encryption. */
  encryption: EnclaveKey['algorithm'] | null;
  /** Report family; null if unknown or without a report. */
  family: string | null;
  /** Enclaves in the report's order, verified or unchecked. Empty without a report. */
  enclaves: readonly (EnclaveVerdict | ReportedEnclave)[];
}

export type HopEnclave = HopRequest['enclaves'][number];

export type HopContext = HopRequest & { enclave?: HopEnclave | null };
