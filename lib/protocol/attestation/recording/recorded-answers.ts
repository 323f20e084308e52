import { bytesToHex } from '@noble/hashes/utils.js';
import { scanObject, skipWhitespace } from '../../json-scan';
import type { CollateralJson } from '../../tee/hardware/collateral';
import { assertBoundedJson } from '../../tee/json-bounds';
import { Malformed } from '../../tee/malformed';
import { parsePemCertificates } from '../../tee/x509/pem';
import { parseRevocationList } from '../../tee/x509/revocation-list';
import type { Endorsements } from '../enclave';
import type { FamilyAnswer } from '../family';
import type { RecordedResponse } from './recording';

const DEPTH_MAX = 16;
const DER_SEQUENCE = 0x30;
const LONG_LENGTH = 0x80;
const ROOT_LIST_URL = /\/(?:IntelSGXRootCA\.(?:der|crl)|rootcacrl)(?:\?|$)/i;
const AMD = /\bARK-|Advanced Micro Devices/;
const DOCUMENTS_MAX = 32;

/**
 * Headers with the signer's certificate chain (Intel PCS API, version 4; older services prefix the names with `sgx-`).
 */
const TCB_CHAIN = ['tcb-info-issuer-chain', 'sgx-tcb-info-issuer-chain'] as const;
const IDENTITY_CHAIN = ['sgx-enclave-identity-issuer-chain'] as const;
const LIST_CHAIN = ['sgx-pck-crl-issuer-chain'] as const;

interface SignedDocument {
  /** Byte for byte as signed. */
  text: string;
  signature: string;
  chain: string;
}

/** Collects the answers of Intel's collateral service and its caches. Recognizes them by their format. */
class IntelDocuments {
  readonly #tcbInfos: SignedDocument[] = [];
  readonly #pckLists: { list: string; chain: string }[] = [];
  #identity: SignedDocument | null = null;
  #rootList: string | null = null;

  /** @returns whether the answer is an Intel document */
  take({ url, headers }: RecordedResponse, body: Uint8Array): boolean {
    const chain = (names: readonly string[]) =>
      decoded(names.map((name) => headers[name]).find((value) => value !== undefined) ?? '');
    if (chain(LIST_CHAIN) !== '') return this.#pckLists.push({ list: listText(body), chain: chain(LIST_CHAIN) }) > 0;
    if (isDer(body) || ROOT_LIST_URL.test(url)) return this.#takeRootList(url, body);
    const members = membersOf(body);
    const signature = /^"([0-9a-fA-F]{128})"$/.exec(members.get('signature') ?? '')?.[1];
    const [tcbInfo, identity] = [members.get('tcbInfo'), members.get('enclaveIdentity')];
    if (signature === undefined || (tcbInfo === undefined && identity === undefined)) return false;
    if (tcbInfo !== undefined) this.#tcbInfos.push({ text: tcbInfo, signature, chain: chain(TCB_CHAIN) });
    // Skips the identity of SGX's quoting enclave, which has the same format.
    else if (identity?.includes('"TD_QE"'))
      this.#identity = { text: identity, signature, chain: chain(IDENTITY_CHAIN) };
    return true;
  }

  /** Combines every TCB info with every PCK revocation list. Empty if a document is missing. */
  collateral(): CollateralJson[] {
    const [identity, rootList] = [this.#identity, this.#rootList];
    if (identity === null || rootList === null) return [];
    return this.#tcbInfos.slice(0, DOCUMENTS_MAX).flatMap((info) =>
      this.#uniqueLists().map(({ list, chain }) => ({
        pck_crl_issuer_chain: chain,
        root_ca_crl: rootList,
        pck_crl: list,
        tcb_info_issuer_chain: info.chain,
        tcb_info: info.text,
        tcb_info_signature: info.signature,
        qe_identity_issuer_chain: identity.chain,
        qe_identity: identity.text,
        qe_identity_signature: identity.signature,
      })),
    );
  }

  #uniqueLists() {
    return [...new Map(this.#pckLists.map((each) => [each.chain, each])).values()].slice(0, DOCUMENTS_MAX);
  }

  /**
   * Stores a body as the revocation list of Intel's root: any body from that list's URL, or any list that AMD did not
   * issue. The revocation check reports an unreadable body. @returns whether the body was stored
   */
  #takeRootList(url: string, body: Uint8Array): boolean {
    if (!ROOT_LIST_URL.test(url) && !isListOfAnother(body)) return false;
    this.#rootList = listText(body);
    return true;
  }
}

function isListOfAnother(body: Uint8Array): boolean {
  try {
    return !AMD.test(parseRevocationList(body).issuerText);
  } catch {
    return false;
  }
}

function membersOf(body: Uint8Array): Map<string, string> {
  const members = new Map<string, string>();
  const text = new TextDecoder();
  const end = scanObject(
    body,
    skipWhitespace(body, 0),
    DEPTH_MAX,
    (key, from, to) => void (to - from < 1_048_576 && members.set(key, text.decode(body.subarray(from, to)))),
  );
  return end < 0 ? new Map() : members;
}

function listText(body: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(body).trim();
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? text.toLowerCase() : bytesToHex(body);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/**
 * Returns whether bytes begin like a DER certificate or revocation list: a SEQUENCE with a multi-byte length. The
 * length distinguishes DER from text that begins with the character `0`.
 */
function isDer(bytes: Uint8Array): boolean {
  return bytes[0] === DER_SEQUENCE && ((bytes[1] ?? 0) & LONG_LENGTH) !== 0;
}

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

function takeNvidiaVerdict(answer: FamilyAnswer, pool: Mutable<Endorsements>): FamilyAnswer {
  const { nvidia_verdict: verdict, nvidia_keys: keys, nvidia_fault: fault } = answer.json;
  if (verdict != null) pool.nvidiaVerdicts.push(verdict);
  if (keys != null) pool.nvidiaKeySets.push(keys);
  if (typeof fault === 'string') pool.nvidiaFault = fault;
  return answer;
}

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

/**
 * Decodes the certificates of a chain. For a malformed chain, returns the start of its text, so that verification
 * fails.
 */
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
