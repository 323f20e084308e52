import { p384 } from '@noble/curves/nist.js';
import { base64urlnopad } from '@scure/base';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { AttestationReport } from '../attestation-report';
import { CheckFailed, type Evidence, NotCheckable } from '../check-list';
import { type JsonObject, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { NvidiaKey } from '../policy';

/** NVIDIA's Remote Attestation Service, as it names itself. */
const ISSUER = 'https://nras.attestation.nvidia.com';
const LEEWAY_S = 60;
const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const JWT_CHARACTERS_MAX = 65_536;

/**
 * Checks GPU evidence by the verdict of NVIDIA's attestation service: a JWT signed with ES384 by a pinned key,
 * of this nonce and this time. The evidence itself is not judged here, only seen to name the same nonce.
 *
 * @throws {NotCheckable} where there is no evidence, no verdict, or no pinned key; {CheckFailed | Malformed} where the verdict is not good
 */
export function checkGpu(report: AttestationReport, nonce: string | null, keys: readonly NvidiaKey[], nowMs: number): { established: true; evidence: Evidence } {
  if (report.nvidiaPayload === null) throw new NotCheckable('The report carries no GPU evidence.');
  const payload = parseJsonObject(report.nvidiaPayload, 'nvidia_payload');
  const evidence = { arch: textOf(payload['arch']), gpus: Array.isArray(payload['evidence_list']) ? payload['evidence_list'].length : 0 };
  if (nonce === null) throw new NotCheckable('No nonce is known that the GPU evidence should answer.', evidence);
  if (textOf(payload['nonce'])?.toLowerCase() !== nonce.toLowerCase()) throw new CheckFailed('The GPU evidence names another nonce than was sent.', evidence);
  const token = tokenOf(report.nvidiaVerdict);
  if (token === null) throw new NotCheckable("NVIDIA's attestation service was not asked, or gave no signed verdict.", evidence);
  if (keys.length === 0) throw new NotCheckable("No key of NVIDIA's attestation service is pinned.", evidence);
  const claims = verifyToken(token, keys);
  const fault = claimsFault(claims, nonce, nowMs / 1_000);
  const said = { ...evidence, issuer: textOf(claims['iss']), result: claims['x-nvidia-overall-att-result'] === true };
  if (fault !== null) throw new CheckFailed(fault, said);
  return { established: true, evidence: said };
}

/** The overall token of an answer: the token itself, or `[["JWT", token], …]`. */
function tokenOf(verdict: unknown): string | null {
  const token: unknown = Array.isArray(verdict) && Array.isArray(verdict[0]) ? (verdict[0] as unknown[])[1] : verdict;
  return typeof token === 'string' && token.length <= JWT_CHARACTERS_MAX ? token : null;
}

function verifyToken(token: string, keys: readonly NvidiaKey[]): JsonObject {
  const [, header = '', body = '', signature = ''] = JWT.exec(token) ?? [];
  if (header === '') throw new Malformed("NVIDIA's verdict is not a signed token.");
  const { alg, kid } = parseJsonObject(textFrom(header), 'the header of the verdict');
  if (alg !== 'ES384') throw new CheckFailed("NVIDIA's verdict is not signed with ES384.");
  const key = keys.find((candidate) => candidate.kid === kid);
  if (!key) throw new CheckFailed("NVIDIA's verdict is signed with a key that is not pinned.");
  if (!isValid(key, `${header}.${body}`, bytesFrom(signature))) throw new CheckFailed("The signature of NVIDIA's verdict does not fit.");
  return parseJsonObject(textFrom(body), 'the verdict');
}

function isValid(key: NvidiaKey, signed: string, signature: Uint8Array): boolean {
  try {
    return p384.verify(signature, utf8ToBytes(signed), concatBytes(Uint8Array.of(4), bytesFrom(key.x), bytesFrom(key.y)), { lowS: false, format: 'compact' });
  } catch {
    return false;
  }
}

function claimsFault(claims: JsonObject, nonce: string, nowS: number): string | null {
  const { iss, exp, nbf, eat_nonce: eatNonce } = claims;
  if (iss !== ISSUER) return 'The verdict is by another issuer than NVIDIA.';
  if (typeof exp !== 'number' || nowS > exp + LEEWAY_S) return "NVIDIA's verdict has expired.";
  if (nbf !== undefined && (typeof nbf !== 'number' || nowS < nbf - LEEWAY_S)) return "NVIDIA's verdict is from the future.";
  if (textOf(eatNonce)?.toLowerCase() !== nonce.toLowerCase()) return "NVIDIA's verdict is of another nonce.";
  return claims['x-nvidia-overall-att-result'] === true ? null : 'NVIDIA finds the GPU evidence wanting.';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function bytesFrom(text: string): Uint8Array {
  try {
    return base64urlnopad.decode(text);
  } catch {
    throw new Malformed("NVIDIA's verdict is not valid base64url.");
  }
}

function textFrom(text: string): string {
  return new TextDecoder().decode(bytesFrom(text));
}
