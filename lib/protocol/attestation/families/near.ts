import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { addressBytesOf, parseModelPublicKey } from '../../e2ee/public-key';
import { CheckFailed } from '../../tee/check-list';
import { readNvidiaPayload } from '../../tee/gpu/nvidia-payload';
import { asArray, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { sameBytes } from '../../tee/x509/chain';
import type { ClaimedEnclave, EnclaveKey, EnclaveRole, GpuClaim, OwnCheck, ReportDataPart } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { arrayAt, hasTexts, hexBytes, itemAt, jsonAt, objectAt, quoteAt, textAt } from './members';
import { checkTlsCertificate } from './tls-certificate';

const ADDRESS_BYTES = 20;
const ED25519_BYTES = 32;
const HASH_BYTES = 32;
const APP_COMPOSE_CHARACTERS_MAX = 4_194_304;

/**
 * Parses a report of an inference proxy under dstack (NEAR AI's private-ml-sdk, Phala's vllm-proxy).
 *
 * The report data consists of 32 bytes that identify the enclave, followed by the nonce. If the report has a TLS
 * certificate, the 32 bytes are the SHA-256 of the signing address and the certificate's fingerprint. Otherwise they
 * are the zero-padded Ethereum address or the Ed25519 key.
 */
function readDstackEnclave(json: JsonObject, role: EnclaveRole, name: string | null): ClaimedEnclave {
  return {
    role,
    name,
    // Prefers `model`, which is a reseller's own name for the model.
    model: textAt(json, 'model', 'model_name'),
    hardware: { kind: 'intel-tdx', quote: () => quoteAt(json, 'intel_quote'), collateral: json['collateral'] ?? null },
    reportData: { statedNonce: textAt(json, 'request_nonce', 'nonce'), parts: partsOf(json) },
    keys: keysOf(json),
    gpu: gpuOf(json),
    workload: { eventLog: jsonAt(json, 'event_log'), appCompose: appComposeOf(json) },
    unusable: null,
  };
}

/** The default is ecdsa over secp256k1. */
function signingAlgorithm(json: JsonObject): string {
  return typeof json['signing_algo'] === 'string' ? json['signing_algo'].toLowerCase() : 'ecdsa';
}

function partsOf(json: JsonObject): ReportDataPart[] {
  const fingerprint = textAt(json, 'tls_cert_fingerprint');
  const rule = fingerprint === null ? 'the signing address and zeros' : 'SHA-256(signing address ‖ TLS fingerprint)';
  const expected = () => {
    const address = signingAddress(json);
    if (fingerprint !== null)
      return sha256(concatBytes(address, hexBytes(fingerprint, 'tls_cert_fingerprint', HASH_BYTES)));
    return concatBytes(address, new Uint8Array(HASH_BYTES - address.length));
  };
  return [
    { check: 'signing-key', start: 0, end: HASH_BYTES, rule, holdsNonce: false, expected },
    {
      check: 'nonce',
      start: HASH_BYTES,
      end: 2 * HASH_BYTES,
      rule: 'the nonce',
      holdsNonce: true,
      expected: (nonce) => nonce,
    },
  ];
}

function signingAddress(json: JsonObject): Uint8Array {
  const address = textAt(json, 'signing_address');
  const isEd25519 = signingAlgorithm(json) === 'ed25519';
  const stated =
    address === null ? null : hexBytes(address, 'signing_address', isEd25519 ? ED25519_BYTES : ADDRESS_BYTES);
  const ofKeys = publicKeys(json).map((key) =>
    isEd25519 ? hexBytes(key, 'signing_public_key', ED25519_BYTES) : addressBytesOf(point(key)),
  );
  const all = stated === null ? ofKeys : [stated, ...ofKeys];
  const [first] = all;
  if (first === undefined) throw new CheckFailed('The report has neither a key nor an address.');
  if (all.some((each) => !sameBytes(each, first)))
    throw new CheckFailed('The public key of the report does not belong to its signing address.');
  if (first.every((byte) => byte === 0)) throw new CheckFailed('The signing address is zero.');
  return first;
}

function publicKeys(json: JsonObject): string[] {
  return [textAt(json, 'signing_public_key'), textAt(json, 'signing_key')].filter((key) => key !== null);
}

function point(text: string): Uint8Array {
  try {
    return parseModelPublicKey(text);
  } catch {
    throw new Malformed('The public key of the report is not valid.');
  }
}

function keysOf(json: JsonObject): EnclaveKey[] {
  const algorithm = signingAlgorithm(json) === 'ed25519' ? 'ed25519' : 'secp256k1';
  // An Ed25519 address is the public key. An Ethereum address is only a hash, not an encryption key.
  const value = publicKeys(json)[0] ?? (algorithm === 'ed25519' ? textAt(json, 'signing_address') : null);
  const fingerprint = textAt(json, 'tls_cert_fingerprint');
  const signing: EnclaveKey[] =
    value === null
      ? []
      : (['signature', 'encryption'] as const).map((purpose) => ({ purpose, algorithm, value: value.toLowerCase() }));
  return fingerprint === null
    ? signing
    : [...signing, { purpose: 'tls', algorithm: 'tls-spki-sha256', value: fingerprint.toLowerCase() }];
}

function gpuOf(json: JsonObject): GpuClaim | null {
  const value = json['nvidia_payload'];
  if (value == null || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const evidence = () => {
    const { arch, evidence: gpus } = readNvidiaPayload(text);
    return { arch, gpus, switches: [] };
  };
  return { evidence, nonce: 'asked', statedNonce: statedNonce(text), isBoundByReportData: false };
}

function statedNonce(text: string): string | null {
  try {
    return readNvidiaPayload(text).nonce;
  } catch {
    // The GPU check reports the malformed payload when it calls `evidence`.
    return null;
  }
}

/** `info.tcb_info` is an object from some services and a JSON string from others. */
function appComposeOf(json: JsonObject): string | null {
  const info = jsonAt(json, 'info');
  const outer = typeof info === 'object' && info !== null ? (info as JsonObject) : {};
  const inner = objectAt({ tcb: jsonAt(outer, 'tcb_info') }, 'tcb');
  const compose = inner?.['app_compose'] ?? outer['app_compose'];
  if (compose == null) return null;
  if (typeof compose !== 'string' || compose.length > APP_COMPOSE_CHARACTERS_MAX)
    throw new Malformed('app_compose is not a text, or is too long.');
  return compose;
}

/**
 * Returns whether the answer is a dstack report in NEAR AI's format. With several machines, `all_attestations` lists
 * all reports, including the top-level report (docs.near.ai, "Verification").
 */
function isReport(json: JsonObject): boolean {
  return (
    hasTexts(json, 'intel_quote') ||
    (arrayAt(json, 'all_attestations') ?? []).some(
      (item) => typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'intel_quote'),
    )
  );
}

const ANOTHER = 'This is another machine of the same model; the report proves only the first machine in it.';

function reportsOf(answers: readonly FamilyAnswer[]): JsonObject[] {
  const json = answers.map((answer) => answer.json).find(isReport) ?? {};
  const listed = asArray(json['all_attestations'] ?? [], 'all_attestations', ENCLAVES_MAX);
  const others = listed.map((_, index) => itemAt(listed, index, 'all_attestations'));
  if (json['intel_quote'] === undefined && json['signing_address'] === undefined) return others;
  return [
    json,
    ...others.filter(
      (other) => other['signing_address'] !== json['signing_address'] && other['intel_quote'] !== json['intel_quote'],
    ),
  ];
}

/** Puts the top-level report first, because clients prefer to encrypt to that report's key. */
function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const reports = reportsOf(answers);
  const hasOwn = answers.some(({ json }) => json === reports[0]);
  return reports.map((report, index) => ({
    ...readDstackEnclave(
      report,
      'model',
      reports.length === 1 ? null : (textAt(report, 'signing_address') ?? String(index + 1)),
    ),
    ...(hasOwn && index > 0 && { unusable: ANOTHER }),
  }));
}

/** Family of reports with Ed25519 keys. Clients convert these keys to X25519 to encrypt. */
export const nearEd25519: FamilyAdapter = {
  family: 'near-ed25519',
  isSpokenBy: (answers) =>
    answers.some(({ json }) => isReport(json)) &&
    reportsOf(answers).some((report) => signingAlgorithm(report) === 'ed25519'),
  enclavesOf,
};

/** Family of reports with secp256k1 keys. Venice and Phala use this format too. */
export const nearEcdsa: FamilyAdapter = {
  family: 'near-ecdsa',
  isSpokenBy: (answers) => answers.some(({ json }) => isReport(json)),
  enclavesOf,
};

/**
 * NEAR AI's cloud (docs.near.ai, "Verification"). `gateway_attestation` is the routing enclave, which terminates TLS
 * with `tls_certificate`. `model_attestations` are the model's enclaves.
 */
export const nearCloud: FamilyAdapter = {
  family: 'near-cloud',
  isSpokenBy: (answers) => reportIn(answers) !== undefined,
  enclavesOf: cloudEnclavesOf,
};

function reportIn(answers: readonly FamilyAnswer[]): JsonObject | undefined {
  return answers
    .map(({ json }) => json)
    .find((json) => objectAt(json, 'gateway_attestation') !== null && arrayAt(json, 'model_attestations') !== null);
}

function cloudEnclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const json = reportIn(answers) ?? {};
  const models = asArray(json['model_attestations'], 'model_attestations', ENCLAVES_MAX - 1);
  if (models.length === 0) throw new Malformed('The report attests a router, but no model behind it.');
  const router = routerOf(objectAt(json, 'gateway_attestation') ?? {}, json['tls_certificate']);
  return [
    router,
    ...models.map((_, index) =>
      readDstackEnclave(
        itemAt(models, index, 'model_attestations'),
        'model',
        models.length === 1 ? null : String(index + 1),
      ),
    ),
  ];
}

function routerOf(json: JsonObject, certificate: unknown): ClaimedEnclave {
  const enclave = readDstackEnclave(json, 'router', null);
  const fingerprint = textAt(json, 'tls_cert_fingerprint');
  if (certificate == null || fingerprint === null) return enclave;
  const tls: OwnCheck = {
    id: 'certificate',
    title: 'The certificate of the connection has the key that the quote proves',
    make: () => checkTlsCertificate(certificate, fingerprint),
  };
  return { ...enclave, further: [tls] };
}
