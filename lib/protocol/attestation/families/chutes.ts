import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { CheckFailed, NotCheckable } from '../../tee/check-list';
import { asArray, asObject, asString, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { parseCertificate } from '../../tee/x509/certificate';
import { parsePemCertificates } from '../../tee/x509/pem';
import type { ClaimedEnclave, EnclaveKey, GpuClaim, OwnCheck, ReportDataPart } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { arrayAt, base64Bytes, hasTexts, itemAt, quoteAt, textAt } from './members';
import { spkiFingerprint, verifySelfSigned } from './tls-certificate';

/**
 * ML-KEM-768 public key (FIPS 203, tables 2 and 3): three polynomials, each with 256 coefficients of 12 bits, then a
 * 32-byte seed.
 */
const KEY_BYTES = 1_184;
const POLYNOMIAL_BYTES = 1_152;
const Q = 3_329;

/**
 * Asserts that the key has the right length and that every coefficient is below q (FIPS 203, 7.2).
 *
 * @throws {Malformed}
 */
function assertMlKem768Key(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== KEY_BYTES) throw new Malformed(`The ML-KEM-768 key does not have ${KEY_BYTES} bytes.`);
  for (let at = 0; at < POLYNOMIAL_BYTES; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    if ((a | ((b & 0x0f) << 8)) >= Q || ((b >> 4) | (c << 4)) >= Q)
      throw new Malformed('The key is not a valid ML-KEM-768 key: a coefficient is too large.');
  }
  return bytes;
}

const HASH_BYTES = 32;
const DEVICES_MAX = 64;
const CERTIFICATE_CHARACTERS_MAX = 32_768;
const KEY_CHARACTERS_MAX = 4_096;
const NO_KEY = 'The list of instances has no key for this instance, so clients cannot encrypt to it.';

interface InstanceParts {
  json: JsonObject;
  quoteName: 'quote' | 'intel_quote';
  /** Public key in base64, unchanged from the answer; null if unknown. */
  key: string | null;
  statedNonce: string | null;
}

/**
 * Parses the report of a Chutes instance, received from Chutes or a reseller.
 *
 * The report data's first half is the SHA-256 of the hex nonce and the base64 key, both as ASCII. The second half is
 * the SHA-256 of the certificate's SubjectPublicKeyInfo. The GPUs sign the first half as their nonce.
 */
export function readChutesInstance({ json, quoteName, key, statedNonce }: InstanceParts): ClaimedEnclave {
  const certificate = textAt(json, 'certificate');
  return {
    role: 'model',
    name: textAt(json, 'instance_id'),
    model: null,
    hardware: { kind: 'intel-tdx', quote: () => quoteAt(json, quoteName), collateral: null },
    reportData: { statedNonce, parts: [keyPart(key), certificatePart(certificate)] },
    further: certificate === null ? [] : [ownSignature(certificate)],
    keys: keysOf(key, certificate),
    gpu: gpuOf(json),
    workload: { eventLog: null, appCompose: null },
    unusable: key === null ? NO_KEY : null,
  };
}

function keyPart(key: string | null): ReportDataPart {
  const expected = (nonce: Uint8Array) => {
    if (key === null) throw new NotCheckable(NO_KEY);
    assertMlKem768Key(base64Bytes(key, 'e2e_pubkey', KEY_CHARACTERS_MAX));
    return sha256(utf8ToBytes(bytesToHex(nonce) + key));
  };
  return {
    check: 'signing-key',
    start: 0,
    end: HASH_BYTES,
    rule: 'SHA-256(nonce in hex ‖ key in base64)',
    holdsNonce: true,
    expected,
  };
}

function certificatePart(certificate: string | null): ReportDataPart {
  const expected = () => {
    if (certificate === null)
      throw new NotCheckable(
        'The report has no certificate, so the certificate key in the quote cannot be checked. Content is encrypted to the other key.',
      );
    return spkiFingerprint(parseCertificate(derOf(certificate)));
  };
  return {
    check: 'certificate',
    start: HASH_BYTES,
    end: 2 * HASH_BYTES,
    rule: 'SHA-256 of the certificate’s public key',
    holdsNonce: false,
    expected,
  };
}

function ownSignature(certificate: string): OwnCheck {
  return {
    id: 'certificate-signature',
    title: 'The certificate is signed with the key that the quote proves',
    make: async () => {
      const { subjectText } = await verifySelfSigned(derOf(certificate));
      return { established: true, evidence: { subject: subjectText } };
    },
  };
}

/** Some instances send PEM, others DER in base64. */
function derOf(certificate: string): Uint8Array {
  if (certificate.startsWith('-----BEGIN')) return parsePemCertificates(certificate)[0]?.der ?? new Uint8Array();
  return base64Bytes(certificate, 'certificate', CERTIFICATE_CHARACTERS_MAX);
}

function keysOf(key: string | null, certificate: string | null): EnclaveKey[] {
  const keys: EnclaveKey[] = [];
  const add = (make: () => EnclaveKey) => {
    try {
      keys.push(make());
    } catch (error) {
      // A malformed key or certificate fails the report data checks.
      if (!(error instanceof Malformed)) throw error;
    }
  };
  if (key !== null)
    add(() => ({
      purpose: 'encryption',
      algorithm: 'ml-kem-768',
      value: bytesToHex(base64Bytes(key, 'e2e_pubkey', KEY_CHARACTERS_MAX)),
    }));
  if (certificate !== null)
    add(() => ({
      purpose: 'tls',
      algorithm: 'tls-spki-sha256',
      value: bytesToHex(spkiFingerprint(parseCertificate(derOf(certificate)))),
    }));
  return keys;
}

function gpuOf(json: JsonObject): GpuClaim | null {
  if (json['gpu_evidence'] == null) return null;
  const evidence = () => {
    const items = asArray(json['gpu_evidence'], 'gpu_evidence', DEVICES_MAX).map((item, index) =>
      asObject(item, `gpu_evidence[${index}]`),
    );
    const architectures = new Set(items.map((item) => (textAt(item, 'arch') ?? '').toUpperCase()));
    if (architectures.size > 1)
      throw new CheckFailed('The GPU evidence mixes several architectures.', { architectures: [...architectures] });
    const gpus = items.map((item, index) => ({
      certificate: asString(item['certificate'], `gpu_evidence[${index}].certificate`),
      evidence: asString(item['evidence'], `gpu_evidence[${index}].evidence`),
    }));
    return { arch: [...architectures][0] ?? '', gpus, switches: [] };
  };
  return { evidence, nonce: 'report-data', statedNonce: null, isBoundByReportData: false };
}

/**
 * Adapter for Chutes' own API. One endpoint returns the instances' evidence, another the instances' ML-KEM-768 keys
 * (docs.chutes.ai, "End-to-end encryption"). The instances may change between the two requests.
 */
export const chutes: FamilyAdapter = {
  family: 'chutes',
  isSpokenBy: (answers) => evidenceIn(answers) !== undefined,
  enclavesOf,
};

function evidenceIn(answers: readonly FamilyAnswer[]): JsonObject | undefined {
  return answers
    .map(({ json }) => json)
    .find((json) =>
      (arrayAt(json, 'evidence') ?? []).some(
        (item) => typeof item === 'object' && item !== null && hasTexts(item as JsonObject, 'quote', 'instance_id'),
      ),
    );
}

function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const evidence = asArray(evidenceIn(answers)?.['evidence'], 'evidence', ENCLAVES_MAX);
  const keys = keysById(answers);
  const seen = new Set<string>();
  return evidence.map((_, index) => {
    const json = itemAt(evidence, index, 'evidence');
    const id = textAt(json, 'instance_id') ?? '';
    if (seen.has(id)) throw new Malformed('The report lists an instance twice.');
    seen.add(id);
    return readChutesInstance({
      json,
      quoteName: 'quote',
      key: textAt(json, 'e2e_pubkey') ?? keys.get(id) ?? null,
      statedNonce: textAt(json, 'nonce'),
    });
  });
}

function keysById(answers: readonly FamilyAnswer[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { json } of answers) {
    const instances = asArray(arrayAt(json, 'instances') ?? [], 'instances', ENCLAVES_MAX).map((item, index) =>
      asObject(item, `instances[${index}]`),
    );
    for (const instance of instances) {
      const [id, key] = [textAt(instance, 'instance_id'), textAt(instance, 'e2e_pubkey')];
      if (id === null || key === null) continue;
      if (keys.has(id) && keys.get(id) !== key) throw new Malformed('The report lists two keys for an instance.');
      keys.set(id, key);
    }
  }
  return keys;
}
