import type { SimulatedEnclave, Tampering } from '../enclave';
import {
  chutesAnswers,
  chutesEvidence,
  nearCloudReport,
  nearReport,
  phalaReport,
  type SimulatedMachine,
} from './simulated-reports';
import { tinfoilReport } from './simulated-tinfoil';

/** The families whose shapes the sandbox answers in beside the one of the specification. */
export type SimulatedFamily = 'near-cloud' | 'near-ed25519' | 'chutes' | 'phala-cloud' | 'tinfoil';

export interface FamilyQuestion {
  /** The id that was asked for. */
  model: string;
  /** 32 bytes. */
  nonce: Uint8Array;
  nowMs: number;
  /**
   * Makes a report that must be refused, as with the enclave itself: of near-cloud the model's part is falsified behind a
   * router that holds; of the others a nonce is answered that was not sent.
   */
  tampering: Tampering | undefined;
}

/**
 * Reports of one simulated machine in the shape of each family. Its keys and certificates stay for as long as it is
 * there, as those of an enclave do until it is started anew. Collateral comes along, since nobody else publishes it.
 */
export class FamilyReports {
  readonly #kept = new Map<string, unknown>();

  constructor(private readonly enclave: SimulatedEnclave) {}

  /** The answer as text, which is signed byte for byte where the family has it so. */
  attest(family: SimulatedFamily, question: FamilyQuestion): string {
    const { nonce, nowMs, tampering } = question;
    if (family !== 'tinfoil') return JSON.stringify(this.#report(family, question));
    const quoted = tampering === undefined ? nonce : flipped(nonce);
    return tinfoilReport(this.#machine(nowMs), {
      nonce: quoted,
      hpkeKey: this.enclave.hpkeKeys.publicKey,
      collateral: this.enclave.collateral(nowMs),
    });
  }

  /** What Chutes answers to the question for evidence alone: of these instances, each with the key that it holds, in base64. */
  chutesEvidence(
    { nonce, nowMs, tampering }: FamilyQuestion,
    instances: readonly { id: string; key: string }[],
  ): string {
    const quoted = tampering === undefined ? nonce : flipped(nonce);
    return JSON.stringify({
      ...chutesEvidence(this.#machine(nowMs), quoted, instances),
      collateral: this.enclave.collateral(nowMs),
    });
  }

  #machine(nowMs: number): SimulatedMachine {
    return { platform: this.enclave.platform, nowMs, kept: this.#kept };
  }

  #report(
    family: Exclude<SimulatedFamily, 'tinfoil'>,
    { model, nonce, nowMs, tampering }: FamilyQuestion,
  ): Record<string, unknown> {
    const collateral = this.enclave.collateral(nowMs);
    const machine = this.#machine(nowMs);
    if (family === 'near-cloud') {
      const { collateral: _own, ...report } = this.enclave.attest(model, nonce, nowMs, tampering);
      return { ...nearCloudReport(machine, nonce, report), collateral };
    }
    const quoted = tampering === undefined ? nonce : flipped(nonce);
    if (family === 'near-ed25519')
      return {
        model,
        ...nearReport(machine, quoted, undefined, 'model', this.enclave.ed25519Keys.publicKey),
        collateral,
      };
    if (family === 'phala-cloud') return { ...phalaReport(machine, quoted), collateral };
    const { evidence, keys } = chutesAnswers(machine, quoted);
    return { ...evidence, ...keys, collateral };
  }
}

function flipped(nonce: Uint8Array): Uint8Array {
  return nonce.map((byte) => byte ^ 0xff);
}
