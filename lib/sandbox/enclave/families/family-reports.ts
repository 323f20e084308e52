import type { SimulatedEnclave, Tampering } from '../enclave';
import { chutesAnswers, nearCloudReport, nearReport, phalaReport, type SimulatedMachine } from './simulated-reports';

/** The families whose shapes the sandbox answers in beside the one of the specification. */
export type SimulatedFamily = 'near-cloud' | 'near-ed25519' | 'chutes' | 'phala-cloud';

/**
 * Reports of one simulated machine in the shape of each family. Its keys and certificates stay for as long as it is
 * there, as those of an enclave do until it is started anew. Collateral comes along, since nobody else publishes it.
 */
export class FamilyReports {
  readonly #kept = new Map<string, unknown>();

  constructor(private readonly enclave: SimulatedEnclave) {}

  /**
   * @param model the id that was asked for
   * @param nonce 32 bytes
   * @param tampering makes a report that must be refused, as with the enclave itself: of near-cloud the model's part is
   *   falsified behind a router that holds; of the others a nonce is answered that was not sent
   */
  attest(family: SimulatedFamily, { model, nonce, nowMs, tampering }: { model: string; nonce: Uint8Array; nowMs: number; tampering: Tampering | undefined }): Record<string, unknown> {
    const collateral = this.enclave.collateral(nowMs);
    const machine: SimulatedMachine = { platform: this.enclave.platform, nowMs, kept: this.#kept };
    if (family === 'near-cloud') {
      const { collateral: _own, ...report } = this.enclave.attest(model, nonce, nowMs, tampering);
      return { ...nearCloudReport(machine, nonce, report), collateral };
    }
    const quoted = tampering === undefined ? nonce : nonce.map((byte) => byte ^ 0xff);
    if (family === 'near-ed25519') return { model, ...nearReport(machine, quoted), collateral };
    if (family === 'phala-cloud') return { ...phalaReport(machine, quoted), collateral };
    const { evidence, keys } = chutesAnswers(machine, quoted);
    return { ...evidence, ...keys, collateral };
  }
}
