import type { EnclaveKey, EnclaveVerdict, EnclaveVerdictName } from './enclave';
import type { ReportedEnclave } from './reported-enclaves';

/** Where on its way a prompt is: with who asks, this gateway, the provider's servers, an enclave in front of the model's, the model's, its GPUs. */
export type HopKind = 'client' | 'gateway' | 'provider' | 'router' | 'model' | 'gpu';

/** What a hop could read: the words themselves, or no more than when and how much was written to which model. */
export type HopReads = 'content' | 'metadata';

/** What a hop rests on: nothing but somebody's word, encryption to a key further on, or evidence of its own hardware. */
export type HopProof = 'none' | 'claim' | 'encryption' | 'attestation';

/**
 * How far that was proved. `own` needs no proof, `claim` has none that anybody could check, `unchecked` could be checked
 * and was not; the others are what the verifier found.
 */
export type HopStanding = 'own' | 'claim' | 'unchecked' | EnclaveVerdictName;

export interface Hop {
  kind: HopKind;
  /** What it is called: a host, a provider, an instance. Null where it has no name. */
  name: string | null;
  reads: HopReads;
  proof: HopProof;
  standing: HopStanding;
  /** The same in sentences. */
  text: { operator: string; reads: string; proof: string };
}

export interface HopQuestion {
  /** What asks: a page, whose code comes from the gateway that it checks, or a program of its own. `unknown` where a gateway answers whoever asks. */
  client: 'page' | 'program' | 'unknown';
  /** What the gateway is called; null where it is known by nothing. */
  gateway: string | null;
  /** Who is said to run the model. */
  provider: string | null;
  /** Whether the model runs in an enclave that attests. */
  isAttested: boolean;
  /** The kind of key that content is encrypted to; null where it is not encrypted end to end. */
  encryption: EnclaveKey['algorithm'] | null;
  /** The family of the report; null where there is none, or none that is known. */
  family: string | null;
  /** The enclaves of the report, in its order: as they were verified, or as they are reported and by nobody checked. Empty where there is no report. */
  enclaves: readonly (EnclaveVerdict | ReportedEnclave)[];
}

export type HopEnclave = HopQuestion['enclaves'][number];

/** What the sentences of a hop are about. */
export type HopContext = HopQuestion & { enclave?: HopEnclave | null };
