import { assertBoundedJson } from '../../tee/json-bounds';
import { Malformed } from '../../tee/malformed';
import { parsePemCertificates } from '../../tee/x509/pem';
import type { Endorsements } from '../endorsements';
import type { FamilyAnswer } from '../family';
import { IntelDocuments, isDer } from './intel-documents';
import type { RecordedResponse } from './recording';

interface RecordedAnswers {
  /** @throws {Malformed} if an answer is too long, too deep or too large */
  answers: () => readonly FamilyAnswer[];
  endorsements: Endorsements;
}

const OK = 200;
const CERTIFICATES_MAX = 16;
const UNREADABLE_CHARACTERS_MAX = 64;
const DIGEST = /^[0-9a-f]{64}\s*$/;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

/**
 * Sorts answers by format into the provider's report and endorsements. Verification rejects a wrongly sorted answer.
 */
export function sortRecordedAnswers(responses: readonly RecordedResponse[]): RecordedAnswers {
  const intel = new IntelDocuments();
  const pool: Mutable<Endorsements> = {
    tdxCollateral: [],
    amdCertificates: [],
    amdRevocationLists: [],
    nvidiaVerdicts: [],
    nvidiaKeySets: [],
    nvidiaFault: null,
    sigstoreBundles: [],
    releaseDigests: [],
  };
  const texts: string[] = [];
  let tooLong = false;
  for (const response of responses) {
    if (response.body === null) tooLong = true;
    else if (
      response.status === OK &&
      !intel.take(response, response.body) &&
      !takeBytes(response, response.body, pool)
    )
      takeText(response.url, new TextDecoder().decode(response.body), pool, texts);
  }
  const answers = () => {
    if (tooLong) throw new Malformed('The report is too large.');
    return texts
      .map(answerOf)
      .filter((answer) => answer !== null)
      .map((answer) => takeNvidiaVerdict(answer, pool));
  };
  pool.tdxCollateral.push(...intel.collateral());
  return { answers: onceMade(answers), endorsements: pool };
}

function takeBytes({ url }: RecordedResponse, body: Uint8Array, pool: Mutable<Endorsements>): boolean {
  if (!isDer(body)) return false;
  (/\/crl(?:[/?]|$)/.test(url) ? pool.amdRevocationLists : pool.amdCertificates).push(body);
  return true;
}

function takeText(url: string, text: string, pool: Mutable<Endorsements>, texts: string[]): void {
  const start = text.trimStart();
  if (/\/cert_chain(?:[/?]|$)/.test(url) || start.startsWith('-----BEGIN CERTIFICATE-----'))
    pool.amdCertificates.push(...certificatesIn(text));
  else if (DIGEST.test(start)) pool.releaseDigests.push(start.trim());
  else if (start.startsWith('[')) takeArray(text, pool);
  else if (start.startsWith('{') && !takeObject(text, pool)) texts.push(text);
}

function takeArray(text: string, pool: Mutable<Endorsements>): void {
  const [first] = (parsed(text) ?? []) as unknown[];
  if (Array.isArray(first) && first[0] === 'JWT') pool.nvidiaVerdicts.push(parsed(text));
}

function takeObject(text: string, pool: Mutable<Endorsements>): boolean {
  const json = parsed(text) as Readonly<Record<string, unknown>> | null;
  if (json === null) return false;
  const { keys, attestations } = json;
  if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null && 'kid' in key))
    pool.nvidiaKeySets.push(json);
  else if (Array.isArray(attestations))
    pool.sigstoreBundles.push(...attestations.flatMap((item) => (item as { bundle?: unknown } | null)?.bundle ?? []));
  else return isRelease(json);
  return true;
}

function isRelease(json: Readonly<Record<string, unknown>>): boolean {
  return 'tag_name' in json && 'assets' in json;
}

/** Copies NVIDIA's verdict and keys from a gateway's report to `pool`. */
function takeNvidiaVerdict(answer: FamilyAnswer, pool: Mutable<Endorsements>): FamilyAnswer {
  const { nvidia_verdict: verdict, nvidia_keys: keys, nvidia_fault: fault } = answer.json;
  if (verdict != null) pool.nvidiaVerdicts.push(verdict);
  if (keys != null) pool.nvidiaKeySets.push(keys);
  if (typeof fault === 'string') pool.nvidiaFault = fault;
  return answer;
}

/** @throws {Malformed} */
function answerOf(text: string): FamilyAnswer | null {
  const json = parsed(text);
  assertBoundedJson(json, 'report');
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? { json: json as FamilyAnswer['json'], text }
    : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Decodes the certificates of a chain. Keeps the start of malformed text, so that verification reports the fault. */
function certificatesIn(pem: string): Uint8Array[] {
  try {
    return parsePemCertificates(pem.trimEnd() + '\n', CERTIFICATES_MAX).map(({ der }) => der);
  } catch {
    return [new TextEncoder().encode(pem.slice(0, UNREADABLE_CHARACTERS_MAX))];
  }
}

function onceMade<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
