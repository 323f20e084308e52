import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { CheckFailed } from '../../../tee/check-list';
import { GPUS_MAX } from '../../../tee/gpu/nvidia-payload';
import { asArray, asObject, asString, type JsonObject } from '../../../tee/json-shape';
import type { GpuClaim, GpuEvidenceList } from '../../enclave';
import { type RawMembers, rawMember } from './raw-members';

type Device = GpuEvidenceList['gpus'][number] & { arch: string; nonce: string | null };

/**
 * What a document says of its GPUs and switches; null where it has neither evidence nor a hash of any.
 *
 * The evidence of GPUs must be the very bytes whose hash the processor signed. That of switches is known to be written
 * down again after it was hashed, so its bytes need not fit: what the devices signed is checked all the same, and the
 * hash as it is stated is part of the report data.
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
            ? 'Nothing that the processor signed holds a hash of the GPU evidence.'
            : 'The processor signed a hash of GPU evidence, and there is none.',
        );
      if (isThere('nvswitch') !== (hashes.switches !== null))
        throw new CheckFailed(
          hashes.switches === null
            ? 'Nothing that the processor signed holds a hash of the evidence of switches.'
            : 'The processor signed a hash of evidence of switches, and there is none.',
        );
      const bytes = rawMember(raw, 'gpu');
      if (bytes !== null && hashes.gpu !== null && bytesToHex(sha256(bytes)) !== hashes.gpu)
        throw new CheckFailed(
          'The GPU evidence is another than the one whose hash the processor signed: it is of another machine, or was changed.',
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

/** The nonce that the GPUs are said to answer; null also where that cannot be read, which `evidence` then says. */
function statedNonce(json: JsonObject): string | null {
  try {
    return devicesOf(json, 'gpu')[0]?.nonce ?? null;
  } catch {
    return null;
  }
}
