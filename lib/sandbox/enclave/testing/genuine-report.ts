import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationVerdict, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { SimulatedEnclave } from '../enclave';
import { generateEnclaveKeys } from '../enclave-keys';
import { issueCertificate, pemOf } from '../hardware/certificate-authority';

const NOW_MS = Date.UTC(2026, 10, 1);
const DAY_MS = 86_400_000;
const NONCE = Buffer.alloc(32, 7);

/** Report with all optional parts, and a verifier that trusts the simulator's roots as hardware roots. */
interface GenuineReport {
  nowMs: number;
  enclave: SimulatedEnclave;
  /** Report whose conclusion is "verified": quote, event log, compose file, two GPUs and NVIDIA's verdict on them. */
  report: Readonly<Record<string, unknown>>;
  verify(report: unknown): Promise<AttestationVerdict>;
}

/**
 * Makes a report that passes every check. Only tests can accept this report, because a real policy never trusts
 * simulated roots as hardware.
 */
export async function genuineReport(): Promise<GenuineReport> {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(NOW_MS), '{"name": "guide"}');
  const nvidia = new NvidiaStandIn();
  const report = { ...enclave.attest('e2ee-guide', NONCE, NOW_MS), ...(await nvidia.endorsements()) };
  const policy = {
    ...DEFAULT_POLICY,
    roots: [{ certificate: configuredRoot(enclave.root, true).certificate, isSimulated: false }],
    nvidiaAuthorities: [nvidia.root],
    nvidiaDeviceRoots: [nvidia.root],
  };
  const expected = { nonce: NONCE.toString('hex'), model: 'e2ee-guide', needsPublicKey: true };
  const { measurements } = await verifyAttestation({ report, expected, policy, nowMs: NOW_MS });
  const { mrTd, rtMr0, rtMr1, rtMr2, composeHash } = measurements as Readonly<
    Record<'mrTd' | 'rtMr0' | 'rtMr1' | 'rtMr2' | 'composeHash', string>
  >;
  const pinned = { ...policy, pinnedWorkloads: [{ name: 'guide', mrTd, rtMr0, rtMr1, rtMr2, composeHash }] };
  return {
    nowMs: NOW_MS,
    enclave,
    report,
    verify: (other) => verifyAttestation({ report: other, expected, policy: pinned, nowMs: NOW_MS }),
  };
}

/** Signs GPU evidence for tests instead of NVIDIA. */
class NvidiaStandIn {
  readonly #authority = { name: 'SIMULATED device root', privateKey: pair() };
  readonly #rootDer = this.#certify(this.#authority.name, this.#authority.privateKey, 0);
  readonly #service = pair();
  readonly root = parseCertificate(this.#rootDer);

  async endorsements(): Promise<object> {
    const common = {
      iss: 'https://nras.attestation.nvidia.com',
      exp: NOW_MS / 1_000 + 3_600,
      nbf: NOW_MS / 1_000 - 10,
      eat_nonce: NONCE.toString('hex'),
    };
    const token = (claims: object) =>
      new SignJWT({ ...common, ...claims }).setProtectedHeader({ alg: 'ES384', kid: 'nv' }).sign(this.#service);
    const names = ['GPU-0', 'GPU-1'];
    const tokens = await Promise.all(
      names.map(() => token({ hwmodel: 'GH100', secboot: true, dbgstat: 'disabled', measres: 'success' })),
    );
    const submods = Object.fromEntries(
      names.map((name, index) => [
        name,
        [
          'DIGEST',
          [
            'SHA-256',
            createHash('sha256')
              .update(tokens[index] ?? '')
              .digest('hex'),
          ],
        ],
      ]),
    );
    return {
      nvidia_payload: JSON.stringify({
        nonce: NONCE.toString('hex'),
        arch: 'HOPPER',
        evidence_list: names.map((name) => this.#gpu(`SIMULATED ${name}`)),
      }),
      nvidia_verdict: [
        ['JWT', await token({ 'x-nvidia-overall-att-result': true, submods })],
        Object.fromEntries(names.map((name, index) => [name, tokens[index]])),
      ],
      nvidia_keys: {
        keys: [
          {
            kid: 'nv',
            kty: 'EC',
            crv: 'P-384',
            x5c: [this.#certify('SIMULATED attestation service', this.#service, null).toString('base64')],
          },
        ],
      },
    };
  }

  #gpu(name: string): { certificate: string; evidence: string } {
    const key = pair();
    const signed = Buffer.concat([
      Buffer.from('11e001ff', 'hex'),
      NONCE,
      Buffer.from('0011600000010600000101020009ff', 'hex'),
      Buffer.alloc(32),
      Buffer.from('0000', 'hex'),
    ]);
    const evidence = Buffer.concat([signed, sign('sha384', signed, { key, dsaEncoding: 'ieee-p1363' })]);
    const chain = Buffer.concat([
      Buffer.from(pemOf(this.#certify(name, key, null)) + pemOf(this.#rootDer)),
      Buffer.alloc(5),
    ]);
    return { certificate: chain.toString('base64'), evidence: evidence.toString('base64') };
  }

  #certify(name: string, key: KeyObject, pathLength: number | null): Buffer {
    return issueCertificate({
      subject: { name, publicKey: createPublicKey(key) },
      issuer: this.#authority,
      notBeforeMs: NOW_MS - DAY_MS,
      notAfterMs: NOW_MS + DAY_MS,
      pathLength,
    });
  }
}

function pair(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
}
