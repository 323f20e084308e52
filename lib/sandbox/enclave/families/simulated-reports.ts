import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import { issueCertificate, pemOf } from '../hardware/certificate-authority';
import { makeQuote, type QuoteForm, type TrustDomain } from '../hardware/quote';
import type { PlatformKeys } from '../hardware/platform-keys';
import { measureBoot } from '../measured-boot';

/**
 * Simulated machine for reports in each family's format. The simulator's root certifies the quotes. The reports have no
 * GPU evidence, because only NVIDIA can sign it.
 */
export interface SimulatedMachine {
  platform: PlatformKeys;
  nowMs: number;
  form?: QuoteForm;
  /** Attributes of the trust domain, 8 bytes. Default: the attributes of an honest domain. */
  attributes?: Uint8Array;
  /**
   * Keys and certificates by purpose. The machine's reports share them. Without this map, each report gets new keys and
   * certificates.
   */
  kept?: Map<string, unknown>;
}

type Json = Record<string, unknown>;

const CERTIFICATE_MS = 365 * 86_400_000;

const COMPOSE = JSON.stringify({
  name: 'simulated',
  docker_compose_file: `services:\n  model:\n    image: example/model@sha256:${'ab'.repeat(32)}\n`,
});

/** Makes a report in NEAR AI's format: an Ed25519 key and the fingerprint of a TLS certificate (null for none). */
export function nearReport(
  machine: SimulatedMachine,
  nonce: Uint8Array,
  fingerprint: Buffer | null = sha256('SIMULATED certificate'),
  who = 'model',
  publicKey?: Uint8Array,
): Json {
  const key = publicKey === undefined ? keptOr(machine, `ed25519 ${who}`, ed25519Key) : Buffer.from(publicKey);
  const bound = fingerprint === null ? key : sha256(Buffer.concat([key, fingerprint]));
  return {
    ...dstackParts(machine, Buffer.concat([bound, nonce])),
    signing_address: key.toString('hex'),
    signing_public_key: key.toString('hex'),
    signing_algo: 'ed25519',
    request_nonce: Buffer.from(nonce).toString('hex'),
    ...(fingerprint !== null && { tls_cert_fingerprint: fingerprint.toString('hex') }),
  };
}

/** Makes a report of NEAR AI's cloud: a router with its TLS certificate, and a model behind that router. */
export function nearCloudReport(
  machine: SimulatedMachine,
  nonce: Uint8Array,
  model: Json = { model_name: 'simulated', ...nearReport(machine, nonce) },
): Json {
  const { certificate, fingerprint } = keptOr(machine, 'certificate router', () => selfSigned(machine.nowMs));
  return {
    gateway_attestation: nearReport(machine, nonce, fingerprint, 'router'),
    model_attestations: [model],
    tls_certificate: pemOf(certificate),
  };
}

/** Makes Chutes' two answers: the instances' evidence and the instances' keys. */
export function chutesAnswers(
  machine: SimulatedMachine,
  nonce: Uint8Array,
  instances = 2,
): { evidence: Json; keys: Json } {
  const made = Array.from({ length: instances }, (_, index) => `instance-${index + 1}`).map((id) => ({
    id,
    key: mlKemKey(id).toString('base64'),
  }));
  return {
    evidence: chutesEvidence(machine, nonce, made),
    keys: { instances: made.map(({ id, key }) => ({ instance_id: id, e2e_pubkey: key })) },
  };
}

/** Makes the evidence of these instances. Keys are in base64. */
export function chutesEvidence(
  machine: SimulatedMachine,
  nonce: Uint8Array,
  instances: readonly { id: string; key: string }[],
): Json {
  const made = instances.map(({ id, key }) => chutesInstance(machine, nonce, id, key));
  return {
    evidence: made.map(({ quote, certificate, id }) => ({
      quote: quote.toString('base64'),
      instance_id: id,
      certificate: certificate.toString('base64'),
    })),
    failed_instance_ids: [],
  };
}

/** Makes the report of Phala's cloud for models on Chutes instances. The report repeats the caller's nonce. */
export function phalaReport(machine: SimulatedMachine, nonce: Uint8Array, instances = 2): Json {
  const made = Array.from({ length: instances }, (_, index) => chutesInstance(machine, nonce, `instance-${index + 1}`));
  const text = Buffer.from(nonce).toString('hex');
  return {
    attestation_type: 'chutes',
    nonce: text,
    all_attestations: made.map(({ id, key, quote }) => ({
      instance_id: id,
      nonce: text,
      e2e_pubkey: key,
      intel_quote: quote.toString('base64'),
    })),
  };
}

/** Returns Intel's responses for the simulator's collateral, as a stored HTTP recording. */
export function collateralResponses({
  tcb_info: tcbInfo,
  tcb_info_signature: tcbSignature,
  tcb_info_issuer_chain: chain,
  qe_identity: identity,
  qe_identity_signature: identitySignature,
  pck_crl: list,
  pck_crl_issuer_chain: listChain,
  root_ca_crl: rootList,
}: CollateralJson) {
  const response = (path: string, body: Uint8Array, headers: Record<string, string> = {}) => ({
    method: 'GET',
    url: `https://collateral.example/${path}`,
    status: 200,
    headers,
    body,
  });
  return [
    response('tcb', Buffer.from(`{"tcbInfo":${tcbInfo},"signature":"${tcbSignature}"}`), {
      'tcb-info-issuer-chain': encodeURIComponent(chain),
    }),
    response('qe/identity', Buffer.from(`{"enclaveIdentity":${identity},"signature":"${identitySignature}"}`), {
      'sgx-enclave-identity-issuer-chain': encodeURIComponent(chain),
    }),
    response('pckcrl', Buffer.from(list, 'hex'), { 'sgx-pck-crl-issuer-chain': encodeURIComponent(listChain) }),
    response('rootcrl', Buffer.from(rootList, 'hex')),
  ];
}

function chutesInstance(
  machine: SimulatedMachine,
  nonce: Uint8Array,
  id: string,
  key = mlKemKey(id).toString('base64'),
) {
  const { certificate, fingerprint } = keptOr(machine, `certificate ${id}`, () => selfSigned(machine.nowMs));
  const reportData = Buffer.concat([sha256(Buffer.from(nonce).toString('hex') + key), fingerprint]);
  return { id, key, certificate, quote: quoteOf(machine, reportData) };
}

function dstackParts(machine: SimulatedMachine, reportData: Buffer): Json {
  return {
    intel_quote: quoteOf(machine, reportData).toString('hex'),
    event_log: measureBoot(COMPOSE).eventLog,
    info: { tcb_info: { app_compose: COMPOSE } },
  };
}

function quoteOf({ platform, form = '4', attributes }: SimulatedMachine, reportData: Buffer): Buffer {
  const { mrTd, mrConfigId, rtMrs } = measureBoot(COMPOSE);
  const domain: TrustDomain = { mrTd, mrConfigId, rtMrs, reportData, ...(attributes !== undefined && { attributes }) };
  return makeQuote(platform, domain, form);
}

/**
 * Returns the value stored under `id`, or makes and stores one. If the machine has no `kept` map, always makes a new
 * value.
 */
export function keptOr<T>({ kept }: SimulatedMachine, id: string, make: () => T): T {
  if (kept === undefined) return make();
  if (!kept.has(id)) kept.set(id, make());
  return kept.get(id) as T;
}

function ed25519Key(): Buffer {
  return Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function mlKemKey(id: string): Buffer {
  const key = Buffer.alloc(1_184);
  for (let at = 0; at < 1_152; at += 3) {
    const [a = 0, b = 0] = sha256(`${id} ${at}`);
    // Three bytes hold two coefficients, both below ML-KEM's modulus.
    key.set([a, b & 0x77, b], at);
    key[at + 2] = b & 0x7f;
  }
  key.set(sha256(id), 1_152);
  return key;
}

function selfSigned(nowMs: number): { certificate: Buffer; fingerprint: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = 'SIMULATED attestation service';
  const certificate = issueCertificate({
    subject: { name, publicKey },
    issuer: { name, privateKey },
    notBeforeMs: nowMs - 1_000,
    notAfterMs: nowMs + CERTIFICATE_MS,
    pathLength: null,
  });
  return { certificate, fingerprint: spkiHash(privateKey) };
}

function spkiHash(privateKey: KeyObject): Buffer {
  return sha256(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
}

function sha256(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}
