import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, base64urlnopad } from '@scure/base';
import type { AttestationReport } from '../attestation-report';
import { CheckFailed, type CheckResult, NotCheckable } from '../check-list';
import { asArray, asObject, asString, type JsonObject, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { NvidiaKey } from '../policy';
import { type Certificate, parseCertificate } from '../x509/certificate';
import { rootOfChain, Untrusted, verifyChain, verifyEndEntity, verifyValidity } from '../x509/chain';
import { assertEcPublicKey, type EcPublicKey, isSignedBy } from '../x509/signature-algorithm';
import { GPUS_MAX, readNvidiaPayload } from './nvidia-payload';

interface NvidiaTrust {
  nvidiaKeys: readonly NvidiaKey[];
  /** Authorities that may certify a key in the report. */
  nvidiaAuthorities: readonly Certificate[];
}

const KEYS_MAX = 256;
const CHAIN_MAX = 4;

/**
 * Returns NVIDIA's key with this id: a pinned key, or else a key in the report. A pinned authority must have certified
 * the report's key. Reads that key from its certificate (`x5c`, RFC 7517, 4.7), not from `x` and `y`.
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
  throw new NotCheckable("No key of NVIDIA's attestation service is pinned, and the report contains no certified key.");
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
  if (leaf.publicKey.curve !== 'P-384') throw new Untrusted("The key of NVIDIA's verdict is not a P-384 key.");
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

const ISSUER = 'https://nras.attestation.nvidia.com';
const LEEWAY_S = 60;
const JWT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const JWT_CHARACTERS_MAX = 65_536;
const FAULT_CHARACTERS_MAX = 300;
const DIGEST_PARTS = 2;

/**
 * Checks GPU evidence by the verdict of NVIDIA's attestation service (a detached EAT bundle, RFC 9711). The overall
 * token contains the digest of each GPU's token. All tokens must be signed with ES384, contain the nonce and be valid
 * at `nowMs`.
 *
 * @throws {NotCheckable} without evidence, verdict or key; {CheckFailed | Malformed | Untrusted} for a bad verdict
 */
export async function checkGpu(
  report: AttestationReport,
  nonce: string | null,
  trust: NvidiaTrust,
  nowMs: number,
): Promise<CheckResult<true>> {
  if (report.nvidiaPayload === null) throw new NotCheckable('The report has no GPU evidence.');
  const { arch, nonce: stated, evidence } = readNvidiaPayload(report.nvidiaPayload);
  const seen = { arch, gpus: evidence.length };
  if (nonce === null)
    throw new NotCheckable('The nonce of the GPU evidence cannot be checked, because no nonce was given.', seen);
  if (stated !== nonce.toLowerCase())
    throw new CheckFailed('The GPU evidence does not contain the nonce that was sent.', seen);
  if (!isNvidiaVerdict(report.nvidiaVerdict)) throw new NotCheckable(unasked(report.nvidiaFault), seen);
  return judgeNvidiaVerdict(
    await readNvidiaVerdict(report.nvidiaVerdict, trust, report.nvidiaKeys, nowMs),
    { ...seen, nonce },
    nowMs,
  );
}

/** Verdict whose signatures are valid and whose claims are still unchecked. */
export interface SignedNvidiaVerdict {
  overall: JsonObject;
  /** Claims of each GPU's token. */
  gpus: readonly JsonObject[];
  /** Number of GPUs in the overall token; null if absent. */
  named: number | null;
}

export interface JudgedEvidence {
  arch: string;
  gpus: number;
  nonce: string;
}

/** Returns whether the value has the format of a verdict, not of an error. */
export function isNvidiaVerdict(verdict: unknown): boolean {
  return bundleOf(verdict) !== null;
}

/**
 * Parses a verdict and verifies NVIDIA's signature on each token.
 *
 * @throws {NotCheckable} without a key; {CheckFailed | Malformed | Untrusted}
 */
export async function readNvidiaVerdict(
  verdict: unknown,
  trust: NvidiaTrust,
  keys: unknown,
  nowMs: number,
): Promise<SignedNvidiaVerdict> {
  const bundle = bundleOf(verdict);
  if (bundle === null) throw new Malformed("NVIDIA's verdict is not a signed token.");
  const overall = await verifyToken(bundle.overall, trust, keys, nowMs);
  const gpus: JsonObject[] = [];
  for (const token of gpuTokens(overall, bundle.gpus)) gpus.push(await verifyToken(token, trust, keys, nowMs));
  const named = Object.keys(asObject(overall['submods'] ?? {}, 'submods')).length;
  return { overall, gpus, named: named === 0 ? null : named };
}

/** Nonce of a verdict, lower-case hex. */
export function nonceOfVerdict({ overall }: SignedNvidiaVerdict): string | null {
  return textOf(overall['eat_nonce'])?.toLowerCase() ?? null;
}

/**
 * Checks that a verdict is positive and valid at `nowMs`, contains the nonce, and covers as many GPUs as the evidence.
 *
 * @throws {CheckFailed}
 */
export function judgeNvidiaVerdict(
  { overall, gpus, named }: SignedNvidiaVerdict,
  { nonce, ...evidence }: JudgedEvidence,
  nowMs: number,
): CheckResult<true> {
  const fault =
    tokenFault(overall, nonce, nowMs / 1_000) ??
    (overall['x-nvidia-overall-att-result'] === true ? null : 'NVIDIA rejected the GPU evidence.');
  const said = { ...evidence, issuer: textOf(overall['iss']), result: overall['x-nvidia-overall-att-result'] === true };
  if (fault !== null) throw new CheckFailed(fault, said);
  const models = gpus.map((claims) => gpuModel(claims, nonce, nowMs));
  const counted = gpus.length > 0 ? gpus.length : named;
  if (counted !== null && counted !== evidence.gpus)
    throw new CheckFailed("NVIDIA's verdict and the evidence have different numbers of GPUs.", said);
  return { established: true, evidence: { ...said, models: [...new Set(models)] } };
}

export function unasked(nvidiaFault: string | null): string {
  return nvidiaFault === null
    ? "NVIDIA's attestation service was not asked, or returned no signed verdict."
    : `NVIDIA returned no verdict: ${nvidiaFault.slice(0, FAULT_CHARACTERS_MAX)}`;
}

function bundleOf(verdict: unknown): { overall: string; gpus: JsonObject } | null {
  const [first, gpus]: unknown[] = Array.isArray(verdict) ? verdict : [];
  const overall: unknown = Array.isArray(first) ? first[1] : verdict;
  if (typeof overall !== 'string' || overall.length > JWT_CHARACTERS_MAX) return null;
  return { overall, gpus: gpus === undefined ? {} : asObject(gpus, 'nvidia_verdict') };
}

function gpuTokens({ submods }: JsonObject, given: JsonObject): string[] {
  const wanted = Object.entries(asObject(submods ?? {}, 'submods'));
  if (wanted.length > GPUS_MAX) throw new Malformed("NVIDIA's verdict lists too many GPUs.");
  if (Object.keys(given).some((name) => !wanted.some(([each]) => each === name)))
    throw new CheckFailed("NVIDIA's verdict contains a token for a GPU that it does not list.");
  if (Object.keys(given).length === 0) return [];
  return wanted.map(([name, digest]) => {
    const token = given[name];
    const [kind, hashed] = asArray(digest, `submods.${name}`, DIGEST_PARTS);
    const [algorithm, value] = asArray(hashed, `submods.${name}`, DIGEST_PARTS);
    const isDigest = kind === 'DIGEST' && (algorithm === 'SHA-256' || algorithm === 'SHA256');
    if (!isDigest || typeof token !== 'string' || bytesToHex(sha256(utf8ToBytes(token))) !== value)
      throw new CheckFailed("The token of a GPU does not match its hash in NVIDIA's verdict.");
    return token;
  });
}

function gpuModel(claims: JsonObject, nonce: string, nowMs: number): string {
  const fault = tokenFault(claims, nonce, nowMs / 1_000);
  if (fault !== null) throw new CheckFailed(fault);
  if (claims['measres'] !== 'success' || claims['secboot'] !== true || claims['dbgstat'] !== 'disabled')
    throw new CheckFailed(
      'According to NVIDIA, a GPU did not boot securely, runs in debug mode, or has wrong measurements.',
    );
  return textOf(claims['hwmodel'])?.slice(0, 80) ?? 'unnamed';
}

async function verifyToken(token: string, trust: NvidiaTrust, offered: unknown, nowMs: number): Promise<JsonObject> {
  const [, header = '', body = '', signature = ''] = JWT.exec(token.slice(0, JWT_CHARACTERS_MAX + 1)) ?? [];
  if (header === '' || token.length > JWT_CHARACTERS_MAX)
    throw new Malformed("NVIDIA's verdict is not a signed token.");
  const { alg, kid } = parseJsonObject(textFrom(header), 'the header of the verdict');
  if (alg !== 'ES384') throw new CheckFailed("NVIDIA's verdict is not signed with ES384.");
  const key = await nvidiaKey(kid, trust, offered, nowMs);
  if (!(await isSignedBy(key, 'ecdsa-sha384', utf8ToBytes(`${header}.${body}`), bytesFrom(signature), 'compact')))
    throw new CheckFailed("The signature of NVIDIA's verdict is not valid.");
  return parseJsonObject(textFrom(body), 'the verdict');
}

function tokenFault({ iss, exp, nbf, eat_nonce: eatNonce }: JsonObject, nonce: string, nowS: number): string | null {
  if (iss !== ISSUER) return 'The issuer of the verdict is not NVIDIA.';
  if (typeof exp !== 'number' || nowS > exp + LEEWAY_S) return "NVIDIA's verdict has expired.";
  if (nbf !== undefined && (typeof nbf !== 'number' || nowS < nbf - LEEWAY_S))
    return "NVIDIA's verdict is from the future.";
  return textOf(eatNonce)?.toLowerCase() === nonce.toLowerCase() ? null : "NVIDIA's verdict has a different nonce.";
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
