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

/** Attestation families whose report formats the sandbox serves besides the specified format. */
export type SimulatedFamily = 'near-cloud' | 'near-ed25519' | 'chutes' | 'phala-cloud' | 'tinfoil';

interface FamilyRequest {
  model: string;
  /** 32 bytes. */
  nonce: Uint8Array;
  nowMs: number;
  /**
   * How to falsify the report. Only near-cloud supports all falsifications, in the model's part of its report. In other
   * families, every falsification is a wrong nonce.
   */
  tampering: Tampering | undefined;
}

/**
 * Makes reports of one simulated machine in each family's format, with the same keys and certificates. Each report
 * includes its collateral, because no service publishes it.
 */
export class FamilyReports {
  readonly #kept = new Map<string, unknown>();

  constructor(private readonly enclave: SimulatedEnclave) {}

  /** Returns the answer as text, because some families sign its bytes. */
  attest(family: SimulatedFamily, request: FamilyRequest): string {
    const { nonce, nowMs, tampering } = request;
    if (family !== 'tinfoil') return JSON.stringify(this.#report(family, request));
    const quoted = tampering === undefined ? nonce : flipped(nonce);
    return tinfoilReport(this.#machine(nowMs), {
      nonce: quoted,
      hpkeKey: this.enclave.hpkeKeys.publicKey,
      collateral: this.enclave.collateral(nowMs),
    });
  }

  /** Returns Chutes' evidence for these instances. Keys are in base64. */
  chutesEvidence(
    { nonce, nowMs, tampering }: FamilyRequest,
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
    { model, nonce, nowMs, tampering }: FamilyRequest,
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
