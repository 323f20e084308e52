import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed } from '../../../tee/check-list';
import { GPUS_MAX } from '../../../tee/gpu/nvidia-payload';
import { asArray, asObject, asString, type JsonObject } from '../../../tee/json-shape';
import type { GpuClaim, GpuEvidenceList } from '../../enclave';
import { type RawMembers, rawMember } from './raw-members';

type Device = GpuEvidenceList['gpus'][number] & { arch: string; nonce: string | null };

/**
 * Reads a document's claim about GPUs and switches. Null if the document has neither evidence nor a hash of evidence.
 *
 * The GPU evidence must match the hash that the processor signed, byte for byte. Tinfoil serializes switch evidence
 * again after hashing it, so its hash cannot match. Its signatures are checked instead.
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

/** Nonce that the document states for its GPUs; null for malformed evidence, for which `evidence` throws. */
function statedNonce(json: JsonObject): string | null {
  try {
    return devicesOf(json, 'gpu')[0]?.nonce ?? null;
  } catch {
    return null;
  }
}
