import { asArray, asObject, asString, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';

/** Base64 of PEM certificates and of signed evidence. */
export interface GpuEvidence {
  certificate: string;
  evidence: string;
}

/** GPU evidence in the input format of NVIDIA's attestation service. */
interface NvidiaPayload {
  /** Lower-case hex. */
  nonce: string;
  arch: string;
  evidence: GpuEvidence[];
}

export const GPUS_MAX = 64;
const PAYLOAD_CHARACTERS_MAX = 4_194_304;

/**
 * Parses `{nonce, arch, evidence_list: [{certificate, evidence}]}` and ignores other members.
 *
 * @throws {Malformed}
 */
export function readNvidiaPayload(text: string): NvidiaPayload {
  if (text.length > PAYLOAD_CHARACTERS_MAX) throw new Malformed('nvidia_payload is too long.');
  const json = parseJsonObject(text, 'nvidia_payload');
  return {
    nonce: asString(json['nonce'], 'nvidia_payload.nonce').toLowerCase(),
    arch: asString(json['arch'] ?? '', 'nvidia_payload.arch').toUpperCase(),
    evidence: asArray(json['evidence_list'], 'nvidia_payload.evidence_list', GPUS_MAX).map((item, index) => {
      const path = `nvidia_payload.evidence_list[${index}]`;
      const gpu = asObject(item, path);
      return {
        certificate: asString(gpu['certificate'], `${path}.certificate`),
        evidence: asString(gpu['evidence'], `${path}.evidence`),
      };
    }),
  };
}
