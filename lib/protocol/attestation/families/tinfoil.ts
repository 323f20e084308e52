import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { asHex, asObject, asString } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ClaimedEnclave, HardwareClaim, ReportDataRules } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { documentProof, gpuClaimOf, rawMembers } from './tinfoil/document';
import { releaseProof } from './tinfoil/release-proof';

const MODELS_MAX = 1_000;

/**
 * Searches the router's list (`/.well-known/tinfoil-proxy`) for an enclave with this HPKE key, and returns its host and
 * claimed model. The list is unverified and only for display.
 */
function namedIn(answers: readonly FamilyAnswer[], key: string): { name: string; model: string } | null {
  for (const { json } of answers) {
    for (const [model, entry] of membersOf(json['models']).slice(0, MODELS_MAX)) {
      for (const [name, enclave] of membersOf(membersOf(entry).find(([member]) => member === 'enclaves')?.[1]).slice(
        0,
        MODELS_MAX,
      )) {
        const { hpke_key: listed } = (enclave ?? {}) as { hpke_key?: unknown };
        if (typeof listed === 'string' && listed.toLowerCase() === key)
          return { name: name.slice(0, 200), model: model.slice(0, 200) };
      }
    }
  }
  return null;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

const HASH_BYTES = 32;
const REPORT_CHARACTERS_MAX = 65_536;

/**
 * Tinfoil's attestation document, version 3 (docs.tinfoil.sh and observed documents). The hardware is TDX or SEV-SNP. A
 * TLS key signs the document. The report data is the SHA-256 of TLS fingerprint, HPKE key, nonce and any hashes of GPU
 * and switch evidence, followed by 32 zero bytes.
 */
export const tinfoil: FamilyAdapter = {
  family: 'tinfoil',
  isSpokenBy: (answers) => answers.some(isDocument),
  enclavesOf: (answers) => {
    const documents = answers.filter(isDocument);
    if (documents.length > ENCLAVES_MAX)
      throw new Malformed(`The report has ${documents.length} documents, more than a model can have enclaves.`);
    return documents.map((document) => enclaveOf(document, answers));
  },
};

function isDocument({ json }: FamilyAnswer): boolean {
  const [data, cpu] = [json['report_data'], json['cpu']] as ({ [name: string]: unknown } | null | undefined)[];
  return (
    typeof data === 'object' &&
    typeof data?.['tls_key_fp'] === 'string' &&
    typeof data['hpke_key'] === 'string' &&
    typeof cpu === 'object' &&
    typeof cpu?.['platform'] === 'string'
  );
}

function enclaveOf(answer: FamilyAnswer, answers: readonly FamilyAnswer[]): ClaimedEnclave {
  const { json } = answer;
  const data = asObject(json['report_data'], 'report_data');
  const bound = (name: string): string | null =>
    data[name] == null ? null : asHex(data[name], `report_data.${name}`, HASH_BYTES).toLowerCase();
  const needed = (name: string): string => asHex(data[name], `report_data.${name}`, HASH_BYTES).toLowerCase();
  const [fingerprint, key] = [needed('tls_key_fp'), needed('hpke_key')];
  const hashes = { gpu: bound('gpu_evidence_hash'), switches: bound('nvswitch_evidence_hash') };
  const raw = rawMembers(answer.text);
  const gpu = gpuClaimOf(json, raw, hashes);
  const named = namedIn(answers, key);
  return {
    // A router has no GPU, and the router's list contains only model enclaves.
    role: named !== null || gpu !== null ? 'model' : 'router',
    name: named?.name ?? null,
    model: named?.model ?? null,
    hardware: hardwareOf(asObject(json['cpu'], 'cpu')),
    reportData: reportDataOf(fingerprint, key, bound('nonce'), hashes),
    further: [documentProof(json, raw, fingerprint), releaseProof()],
    keys: [
      { purpose: 'encryption', algorithm: 'x25519-hpke', value: key },
      { purpose: 'tls', algorithm: 'tls-spki-sha256', value: fingerprint },
    ],
    gpu,
    // RTMR2 or the launch digest measures the command line, which contains the application's hash.
    workload: { eventLog: null, appCompose: null, applicationIn: 'rtMr2' },
    unusable: null,
  };
}

function hardwareOf(cpu: Readonly<Record<string, unknown>>): HardwareClaim {
  const platform = asString(cpu['platform'], 'cpu.platform');
  const bytes = () => reportBytes(cpu['report']);
  if (platform === 'tdx') return { kind: 'intel-tdx', quote: bytes, collateral: null };
  if (platform === 'sev-snp') return { kind: 'amd-sev-snp', report: bytes, certificates: () => [] };
  return { kind: 'unknown', platform: platform.slice(0, 40) };
}

function reportBytes(value: unknown): Uint8Array {
  const text = asString(value, 'cpu.report');
  if (text.length > REPORT_CHARACTERS_MAX) throw new Malformed('cpu.report is too long.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('cpu.report is not valid base64.');
  }
}

function reportDataOf(
  fingerprint: string,
  key: string,
  statedNonce: string | null,
  { gpu, switches }: { gpu: string | null; switches: string | null },
): ReportDataRules {
  const hashed = [...(gpu === null ? [] : [gpu]), ...(switches === null ? [] : [switches])];
  const rule = [
    'TLS fingerprint',
    'HPKE key',
    'nonce',
    ...(gpu === null ? [] : ['hash of the GPU evidence']),
    ...(switches === null ? [] : ['hash of the switch evidence']),
  ].join(' ‖ ');
  return {
    statedNonce,
    parts: [
      {
        check: 'signing-key',
        start: 0,
        end: HASH_BYTES,
        rule: `SHA-256(${rule})`,
        holdsNonce: true,
        expected: (nonce) =>
          sha256(concatBytes(hexToBytes(fingerprint), hexToBytes(key), nonce, ...hashed.map(hexToBytes))),
      },
      {
        check: 'signing-key',
        start: HASH_BYTES,
        end: 2 * HASH_BYTES,
        rule: 'zeros after it',
        holdsNonce: false,
        expected: () => new Uint8Array(HASH_BYTES),
      },
    ],
  };
}
