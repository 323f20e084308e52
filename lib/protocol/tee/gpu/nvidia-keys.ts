import { base64, base64urlnopad } from '@scure/base';
import { concatBytes } from '@noble/hashes/utils.js';
import { CheckFailed, NotCheckable } from '../check-list';
import { asArray, asObject, asString, type JsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { NvidiaKey } from '../policy';
import { type Certificate, parseCertificate } from '../x509/certificate';
import { rootOfChain, Untrusted, verifyChain, verifyEndEntity, verifyValidity } from '../x509/chain';
import { assertEcPublicKey, type EcPublicKey } from '../x509/signature-algorithm';

export interface NvidiaTrust {
  /** Pinned keys. */
  nvidiaKeys: readonly NvidiaKey[];
  /** Authorities that may certify a key in the report. */
  nvidiaAuthorities: readonly Certificate[];
}

const KEYS_MAX = 256;
const CHAIN_MAX = 4;

/**
 * Returns NVIDIA's key with this id: a pinned key, or else a key in the report whose certificate (`x5c`, RFC 7517, 4.7)
 * a pinned authority signed. Ignores `x` and `y` beside the certificate.
 *
 * @param offered JSON Web Key Set in the report, or null
 * @throws {NotCheckable} without such a key; {CheckFailed | Untrusted | Malformed}
 */
export async function nvidiaKey(
  kid: unknown,
  { nvidiaKeys, nvidiaAuthorities }: NvidiaTrust,
  offered: unknown,
  nowMs: number,
): Promise<EcPublicKey> {
  const pinned = nvidiaKeys.find((candidate) => candidate.kid === kid);
  if (pinned)
    return assertEcPublicKey({
      curve: 'P-384',
      point: concatBytes(Uint8Array.of(4), coordinate(pinned.x), coordinate(pinned.y)),
    });
  const key = offeredKey(kid, offered);
  if (key) return certifiedKey(key, nvidiaAuthorities, nowMs);
  if (nvidiaKeys.length > 0) throw new CheckFailed("NVIDIA's verdict is signed with a key that is not pinned.");
  throw new NotCheckable(
    "No key of NVIDIA's attestation service is pinned, and the report has none with a certificate.",
  );
}

function offeredKey(kid: unknown, offered: unknown): JsonObject | undefined {
  if (offered === null) return undefined;
  const keys = asArray(asObject(offered, 'nvidia_keys')['keys'], 'nvidia_keys.keys', KEYS_MAX);
  return keys
    .map((key) => asObject(key, 'nvidia_keys.keys'))
    .find((key) => key['kid'] === kid && key['x5c'] !== undefined);
}

async function certifiedKey(key: JsonObject, authorities: readonly Certificate[], nowMs: number): Promise<EcPublicKey> {
  const chain = asArray(key['x5c'], 'nvidia_keys.x5c', CHAIN_MAX).map((text) =>
    parseCertificate(decode(asString(text, 'nvidia_keys.x5c'), base64)),
  );
  const authority = rootOfChain(chain, authorities);
  if (!authority)
    throw new Untrusted(
      `The key of NVIDIA's verdict is not certified by a pinned authority; its chain ends at ${chain.at(-1)?.subjectText ?? 'nothing'}.`,
    );
  const certificates = await verifyChain(chain, authority);
  const leaf = certificates[0] as Certificate;
  verifyValidity(certificates, nowMs);
  verifyEndEntity(leaf);
  if (leaf.publicKey.curve !== 'P-384') throw new Untrusted("The key of NVIDIA's verdict is not of P-384.");
  return leaf.publicKey;
}

function coordinate(text: string): Uint8Array {
  return decode(text, base64urlnopad);
}

function decode(text: string, coder: { decode(text: string): Uint8Array }): Uint8Array {
  try {
    return coder.decode(text);
  } catch {
    throw new Malformed("The key of NVIDIA's verdict is not valid base64.");
  }
}
