import fs from 'node:fs';
import path from 'node:path';
import type { ClaimedEnclave } from '@/lib/protocol/attestation/enclave';
import { familyOf } from '@/lib/protocol/attestation/families';
import { sortRecordedAnswers } from '@/lib/protocol/attestation/recording/recorded-answers';
import {
  BODY_BYTES_MAX,
  MANIFEST,
  type RecordedResponse,
  RESPONSES,
} from '@/lib/protocol/attestation/recording/recording';
import { drawAttestationNonce } from '@/lib/protocol/e2ee/nonce';
import { bytesToHex } from '@noble/hashes/utils.js';
import { quotedPlatform } from '@/lib/protocol/tee/hardware/quoted-platform';
import { parseQuote } from '@/lib/protocol/tee/quote/quote';
import type { TrustedRoot } from '@/lib/protocol/tee/trusted-roots';
import { UsageError } from '@/lib/command-line/usage-error';

interface RecordedServices {
  /** URL of Intel's collateral service or of a cache, without a trailing slash. */
  pccsUrl: string;
  rootCrlUrl: string;
  /** URL of NVIDIA's attestation service, without a trailing slash. */
  nvidiaUrl: string;
}

export const PUBLIC_SERVICES: RecordedServices = {
  pccsUrl: 'https://api.trustedservices.intel.com',
  rootCrlUrl: 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der',
  nvidiaUrl: 'https://nras.attestation.nvidia.com',
};

export interface RecordOptions {
  /**
   * URLs to request from the provider, in order. The nonce replaces `{nonce}` in a URL. A URL without `{nonce}` gets
   * the query parameter `nonce`.
   */
  urls: readonly string[];
  /** Folder for the recording. Created if missing; must not contain a recording. */
  folder: string;
  model: string | null;
  /** Authorization header, sent only to the provider and not recorded; null for none. */
  authorization: string | null;
  services: RecordedServices;
  roots: readonly TrustedRoot[];
  nowMs: number;
}

const TIMEOUT_MS = 60_000;
const PLATFORMS_MAX = 8;
const VERDICTS_MAX = 4;
/** Headers to record. They contain the certificate chains of the collateral's signers. */
const KEPT = /issuer-chain$/;

/**
 * Requests an attestation with a fresh nonce from a provider, then asks Intel and NVIDIA about the hardware. Stores
 * every answer unchanged and unverified.
 *
 * @throws {UsageError} for a folder that has a recording, and if the provider or a service does not answer
 */
export async function recordAttestation(options: RecordOptions): Promise<void> {
  const { urls, folder, model, authorization, nowMs } = options;
  if (fs.existsSync(path.join(folder, MANIFEST))) throw new UsageError(`${folder} already contains a recording.`);
  const nonce = drawAttestationNonce();
  const headers: Record<string, string> = authorization === null ? {} : { authorization };
  const responses: RecordedResponse[] = [];
  for (const url of urls) responses.push(await asked(withNonce(url, nonce), { headers }));
  const claims = claimsIn(responses);
  responses.push(...(await collateralOf(claims, options)), ...(await verdictsOf(claims, nonce, options)));
  write(folder, { model, nonce_hex: nonce, captured_at: new Date(nowMs).toISOString() }, responses);
}

function withNonce(url: string, nonce: string): URL {
  try {
    const parsed = new URL(url.replaceAll('{nonce}', nonce));
    if (!url.includes('{nonce}')) parsed.searchParams.set('nonce', nonce);
    return parsed;
  } catch {
    throw new UsageError(`--record must be a URL, not ${JSON.stringify(url)}.`);
  }
}

function claimsIn(responses: readonly RecordedResponse[]): ClaimedEnclave[] {
  try {
    const answers = sortRecordedAnswers(responses).answers();
    return familyOf(answers)?.enclavesOf(answers) ?? [];
  } catch {
    return [];
  }
}

async function collateralOf(
  claims: readonly ClaimedEnclave[],
  { services: { pccsUrl, rootCrlUrl }, roots }: RecordOptions,
): Promise<RecordedResponse[]> {
  const wanted = new Set<string>();
  for (const { hardware } of claims) {
    if (hardware.kind !== 'intel-tdx') continue;
    try {
      const { fmspc, authority } = await quotedPlatform(hardware.quote(), roots);
      wanted
        .add(`/tdx/certification/v4/tcb?fmspc=${fmspc.toLowerCase()}`)
        .add(`/sgx/certification/v4/pckcrl?ca=${authority}&encoding=der`);
    } catch {
      // If no trusted root signed the quote's certificates, verification fails before it needs collateral.
    }
  }
  if (wanted.size === 0) return [];
  const urls = [
    ...[...wanted].slice(0, 2 * PLATFORMS_MAX).map((each) => pccsUrl + each),
    `${pccsUrl}/tdx/certification/v4/qe/identity`,
    rootCrlUrl,
  ];
  const answers: RecordedResponse[] = [];
  for (const url of urls) answers.push(await asked(new URL(url), {}));
  return answers;
}

async function verdictsOf(
  claims: readonly ClaimedEnclave[],
  nonce: string,
  { services: { nvidiaUrl } }: RecordOptions,
): Promise<RecordedResponse[]> {
  const questions = claims
    .filter(({ unusable, gpu }) => unusable === null && gpu !== null)
    .slice(0, VERDICTS_MAX)
    .flatMap((claim) => questionOf(claim, nonce) ?? []);
  if (questions.length === 0) return [];
  const answers: RecordedResponse[] = [];
  for (const body of questions)
    answers.push(
      await asked(new URL(`${nvidiaUrl}/v3/attest/gpu`), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
      }),
    );
  return [...answers, await asked(new URL(`${nvidiaUrl}/.well-known/jwks.json`), {})];
}

/** Builds the request to NVIDIA with the nonce that the GPUs signed. That nonce can differ from the report's nonce. */
function questionOf({ gpu, hardware }: ClaimedEnclave, asked: string): string | null {
  try {
    if (gpu === null || hardware.kind !== 'intel-tdx') return null;
    const { arch, gpus } = gpu.evidence();
    const nonce =
      gpu.nonce === 'asked' ? asked : bytesToHex(parseQuote(hardware.quote()).report.reportData.subarray(0, 32));
    return JSON.stringify({ nonce, arch, evidence_list: gpus });
  } catch {
    return null;
  }
}

async function asked(
  url: URL,
  init: { method?: string; body?: string; headers?: Record<string, string> },
): Promise<RecordedResponse> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT.test(name)));
    return {
      method: init.method ?? 'GET',
      url: url.href,
      status: response.status,
      headers,
      body: await bounded(response),
    };
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`${url.host} returned no answer: ${(error as Error).message}`);
  }
}

async function bounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX)
      throw new UsageError(`${new URL(response.url).host} answered with more than ${BODY_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function write(folder: string, manifest: object, responses: readonly RecordedResponse[]): void {
  fs.mkdirSync(path.join(folder, RESPONSES), { recursive: true });
  for (const [index, { body, headers, ...head }] of responses.entries()) {
    const file = path.join(folder, RESPONSES, `${String(index + 1).padStart(4, '0')}_${nameOf(head.url)}`);
    fs.writeFileSync(
      `${file}.json`,
      `${JSON.stringify({ ...head, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) }, null, 1)}\n`,
    );
    fs.writeFileSync(`${file}.body`, body ?? new Uint8Array());
  }
  // Written last, so that a folder with a manifest is complete.
  fs.writeFileSync(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/[^A-Za-z0-9.-]+/g, '_').slice(0, 80);
}
