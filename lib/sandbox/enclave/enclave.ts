import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { type Ed25519KeyPair, generateEd25519KeyPair } from '@/lib/protocol/e2ee/ed25519-codec';
import { generateHpkeKeyPair, type HpkeKeyPair } from '@/lib/protocol/e2ee/ehbp/recipient';
import { addressBytesOf, addressOf } from '@/lib/protocol/e2ee/public-key';
import { personalMessageHash } from '@/lib/protocol/evm-signature';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import type { EnclaveKeys } from './enclave-keys';
import { issueCollateral } from './hardware/collateral';
import { makeQuote } from './hardware/quote';
import { type LoggedEvent, measureBoot, type MeasuredBoot } from './measured-boot';
import { ModelInstances } from './model-instances';

/**
 * Falsified attestations that a client must refuse. `wrong-key` has a key that the quote does not attest, `wrong-nonce`
 * has a nonce that the client did not send, and `debug` has a quote of a trust domain in debug mode.
 */
export const TAMPERINGS = ['wrong-key', 'wrong-nonce', 'debug'] as const;

export type Tampering = (typeof TAMPERINGS)[number];

/** Report of a simulated enclave, in the format of NEAR AI and Phala. */
export interface EnclaveReport {
  model: string;
  request_nonce: string;
  signing_address: string;
  signing_public_key: string;
  signing_algo: 'ecdsa';
  tee_provider: 'turnpike-simulator';
  /** Hex. */
  intel_quote: string;
  event_log: LoggedEvent[];
  info: { tcb_info: { app_compose: string } };
  /** Collateral of the simulated platform, included because no service publishes it. */
  collateral: CollateralJson;
}

const COLLATERAL_LIFETIME_MS = 12 * 3_600_000;
const DEBUG_ATTRIBUTES = Buffer.from('0100001000000000', 'hex');

/** Simulates an enclave with the protocol and quotes of real enclaves. Its certificates' names begin with SIMULATED. */
export class SimulatedEnclave {
  #signingSecret: Uint8Array;
  #hpkeKeys = generateHpkeKeyPair();
  #ed25519Keys = generateEd25519KeyPair();
  #instances: ModelInstances | undefined;
  readonly #boot: MeasuredBoot;
  #collateral: { json: CollateralJson; issuedMs: number } | undefined;

  /** @param appCompose compose file measured as the workload */
  constructor(
    private readonly keys: EnclaveKeys,
    private readonly appCompose: string,
  ) {
    this.#signingSecret = keys.signingSecret;
    this.#boot = measureBoot(appCompose);
  }

  /** Uncompressed secp256k1 key, 65 bytes. */
  get publicKey(): Uint8Array {
    return secp256k1.getPublicKey(this.#signingSecret, false);
  }

  get address(): string {
    return addressOf(this.publicKey);
  }

  /** X25519 keys for encrypting whole bodies, new at each start. */
  get hpkeKeys(): HpkeKeyPair {
    return this.#hpkeKeys;
  }

  /** Ed25519 keys for signatures and message encryption. */
  get ed25519Keys(): Ed25519KeyPair {
    return this.#ed25519Keys;
  }

  /** Model instances with ML-KEM keys. Created on first use, because key generation is slow. */
  get instances(): ModelInstances {
    return (this.#instances ??= new ModelInstances());
  }

  /** Replaces the signing and encryption keys, like a restart of a real enclave. */
  rotateKey(): void {
    this.#signingSecret = generateE2eeKeyPair().secretKey;
    this.#hpkeKeys = generateHpkeKeyPair();
    this.#ed25519Keys = generateEd25519KeyPair();
    this.#instances?.rotate();
  }

  get root(): Uint8Array {
    return this.keys.platform.certificates.root;
  }

  get platform(): EnclaveKeys['platform'] {
    return this.keys.platform;
  }

  get secretKey(): Uint8Array {
    return this.#signingSecret;
  }

  /**
   * Attests the enclave's key for a 32-byte nonce.
   *
   * @param tampering how to falsify the report
   */
  attest(model: string, nonce: Uint8Array, nowMs: number, tampering?: Tampering): EnclaveReport {
    const quoted = tampering === 'wrong-nonce' ? nonce.map((byte) => byte ^ 0xff) : nonce;
    const reported = tampering === 'wrong-key' ? generateE2eeKeyPair().publicKey : this.publicKey;
    const { mrTd, mrConfigId, rtMrs, eventLog } = this.#boot;
    const reportData = Buffer.concat([addressBytesOf(this.publicKey), Buffer.alloc(12), quoted]);
    const attributes = tampering === 'debug' ? { attributes: DEBUG_ATTRIBUTES } : {};
    return {
      model,
      request_nonce: Buffer.from(nonce).toString('hex'),
      signing_address: addressOf(reported),
      signing_public_key: Buffer.from(reported).toString('hex'),
      signing_algo: 'ecdsa',
      tee_provider: 'turnpike-simulator',
      intel_quote: makeQuote(this.keys.platform, { mrTd, mrConfigId, rtMrs, reportData, ...attributes }).toString(
        'hex',
      ),
      event_log: eventLog,
      info: { tcb_info: { app_compose: this.appCompose } },
      collateral: this.collateral(nowMs),
    };
  }

  collateral(nowMs: number): CollateralJson {
    const isFresh =
      this.#collateral !== undefined && Math.abs(nowMs - this.#collateral.issuedMs) < COLLATERAL_LIFETIME_MS;
    if (!isFresh) this.#collateral = { json: issueCollateral(this.keys.platform, nowMs), issuedMs: nowMs };
    return (this.#collateral as { json: CollateralJson }).json;
  }

  /** Signs text and returns the 64-byte ed25519 signature in hex. */
  signEd25519(text: string): string {
    return Buffer.from(ed25519.sign(Buffer.from(text), this.#ed25519Keys.secretKey)).toString('hex');
  }

  /** Signs text by EIP-191. Returns 0x and 65 bytes r ‖ s ‖ v in hex, with a low s. */
  sign(text: string): string {
    const signature = secp256k1.sign(personalMessageHash(text), this.#signingSecret, {
      prehash: false,
      lowS: true,
      format: 'recovered',
    });
    const [recovery = 0, ...rs] = signature;
    return `0x${Buffer.from([...rs, 27 + recovery]).toString('hex')}`;
  }
}
