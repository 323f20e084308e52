import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { membersFault, type MemberSpan } from '../../../json-members';
import { CheckFailed, NotCheckable } from '../../../tee/check-list';
import { GPUS_MAX } from '../../../tee/gpu/nvidia-payload';
import { asArray, asObject, asString, type JsonObject } from '../../../tee/json-shape';
import { Malformed } from '../../../tee/malformed';
import { Untrusted, verifyValidity } from '../../../tee/x509/chain';
import { parsePemCertificates } from '../../../tee/x509/pem';
import { isSignedBy } from '../../../tee/x509/signature-algorithm';
import type { GpuClaim, GpuEvidenceList, OwnCheck } from '../../enclave';

/** Byte ranges of a document's members, for byte-exact hashes and signatures. */
interface RawMembers {
  bytes: Uint8Array;
  spans: ReadonlyMap<string, MemberSpan>;
}

const LIMITS = { valuesMax: 20_000, membersMax: 1_000, depthMax: 32, nameBytesMax: 256 } as const;

/** @throws {Malformed} for a duplicate member, because two parsers could read different values */
export function rawMembers(text: string): RawMembers {
  const bytes = utf8ToBytes(text);
  const spans = new Map<string, MemberSpan>();
  const fault = membersFault(bytes, LIMITS, spans);
  if (fault !== null)
    throw new Malformed(
      fault.kind === 'repeated'
        ? `The document has the member ${JSON.stringify(fault.path.join('.').slice(0, 80))} twice.`
        : 'The document is too large or nested too deeply.',
    );
  return { bytes, spans };
}

function rawMember({ bytes, spans }: RawMembers, name: string): Uint8Array | null {
  const span = spans.get(name);
  return span ? bytes.subarray(span.start, span.end) : null;
}

const SIGNATURE_CHARACTERS_MAX = 1_024;
const PEM_END = '-----END CERTIFICATE-----';
const SPACES: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Verifies the document's TLS certificate and ECDSA signature (SHA-256, DER). The signed bytes are the received
 * document with an empty `signature` and no trailing newline. The hardware attests the TLS key's fingerprint.
 */
export function documentProof(json: JsonObject, raw: RawMembers, fingerprint: string): OwnCheck {
  return {
    id: 'certificate',
    title: 'The document is signed with the TLS key that the hardware proves',
    make: async ({ nowMs }) => {
      if (json['certificate'] == null || json['signature'] == null)
        throw new NotCheckable('The document has no certificate with a signature.');
      const [certificate] = parsePemCertificates(leafOf(asString(json['certificate'], 'certificate')));
      if (!certificate) throw new Malformed('The document has no certificate.');
      const found = bytesToHex(sha256(certificate.subjectPublicKeyInfo));
      const evidence = { certificate: certificate.subjectText, issuer: certificate.issuerText, key: found };
      if (found !== fingerprint)
        throw new CheckFailed('The key of the certificate is not the key in the report data.', {
          ...evidence,
          bound: fingerprint,
        });
      verifyValidity([certificate], nowMs);
      if (certificate.publicKey.curve === 'RSA')
        throw new NotCheckable('The document is signed with RSA, which is not supported.', evidence);
      if (!(await isSignedBy(certificate.publicKey, 'ecdsa-sha256', signedBytes(raw), signatureOf(json), 'der')))
        throw new Untrusted('The signature of the document is not valid.');
      return { established: true, evidence };
    },
  };
}

/** Returns the first certificate of the chain. Browsers check its issuer. */
function leafOf(pem: string): string {
  const end = pem.indexOf(PEM_END);
  return end < 0 ? pem : `${pem.slice(0, end + PEM_END.length)}\n`;
}

function signedBytes({ bytes, spans }: RawMembers): Uint8Array {
  const span = spans.get('signature');
  if (!span) throw new Malformed('The document has no signature.');
  let end = bytes.length;
  while (SPACES.includes(bytes[end - 1] as number)) end -= 1;
  return concatBytes(bytes.subarray(0, span.start), utf8ToBytes('""'), bytes.subarray(span.end, end));
}

function signatureOf(json: JsonObject): Uint8Array {
  const text = asString(json['signature'], 'signature');
  if (text.length > SIGNATURE_CHARACTERS_MAX) throw new Malformed('The signature of the document is too long.');
  try {
    return base64.decode(text);
  } catch {
    throw new Malformed('The signature of the document is not valid base64.');
  }
}

type Device = GpuEvidenceList['gpus'][number] & { arch: string; nonce: string | null };

/**
 * Reads a document's claim about GPUs and switches. Null if the document has neither evidence nor a hash of evidence.
 *
 * The processor signed a hash of the GPU evidence as received. Tinfoil serializes the switch evidence again after
 * hashing, so the hash cannot match. For switches, only the signatures are checked.
 */
export function gpuClaimOf(
  json: JsonObject,
  raw: RawMembers,
  hashes: { gpu: string | null; switches: string | null },
): GpuClaim | null {
  const isThere = (name: string) => json[name] != null;
  if (!isThere('gpu') && !isThere('nvswitch') && hashes.gpu === null && hashes.switches === null) return null;
  return {
    evidence: () => {
      if (isThere('gpu') !== (hashes.gpu !== null))
        throw new CheckFailed(
          hashes.gpu === null
            ? 'The processor signed no hash of the GPU evidence.'
            : 'The processor signed a hash of GPU evidence, but the report has no GPU evidence.',
        );
      if (isThere('nvswitch') !== (hashes.switches !== null))
        throw new CheckFailed(
          hashes.switches === null
            ? 'The processor signed no hash of the switch evidence.'
            : 'The processor signed a hash of switch evidence, but the report has no switch evidence.',
        );
      const bytes = rawMember(raw, 'gpu');
      if (bytes !== null && hashes.gpu !== null && bytesToHex(sha256(bytes)) !== hashes.gpu)
        throw new CheckFailed(
          'The GPU evidence does not match the hash that the processor signed: it is from another machine, or was changed.',
          { stated: hashes.gpu, found: bytesToHex(sha256(bytes)) },
        );
      return evidenceOf(json);
    },
    nonce: 'asked',
    statedNonce: statedNonce(json),
    isBoundByReportData: hashes.gpu !== null,
  };
}

function evidenceOf(json: JsonObject): GpuEvidenceList {
  const [gpus, switches] = [devicesOf(json, 'gpu'), devicesOf(json, 'nvswitch')];
  const [first] = gpus;
  const odd = gpus.find(({ arch, nonce }) => arch !== first?.arch || nonce !== first.nonce);
  if (odd !== undefined) throw new CheckFailed('The GPUs of the evidence differ in kind or nonce.');
  const bare = (devices: readonly Device[]) => devices.map(({ certificate, evidence }) => ({ certificate, evidence }));
  return { arch: first?.arch ?? '', gpus: bare(gpus), switches: bare(switches) };
}

function devicesOf(json: JsonObject, name: 'gpu' | 'nvswitch'): Device[] {
  if (json[name] == null) return [];
  const path = `${name}.evidences`;
  return asArray(asObject(json[name], name)['evidences'], path, GPUS_MAX).map((item) => {
    const device = asObject(item, path);
    const text = (field: string) => asString(device[field], `${path}.${field}`);
    return {
      certificate: text('certificate'),
      evidence: text('evidence'),
      arch: asString(device['arch'] ?? '', `${path}.arch`).toUpperCase(),
      nonce: device['nonce'] == null ? null : text('nonce').toLowerCase(),
    };
  });
}

/**
 * Returns the GPU nonce that the document states; null for malformed evidence. The claim's `evidence()` reports the
 * fault.
 */
function statedNonce(json: JsonObject): string | null {
  try {
    return devicesOf(json, 'gpu')[0]?.nonce ?? null;
  } catch {
    return null;
  }
}
