import { bytesToHex } from '@noble/hashes/utils.js';
import { scanObject, skipWhitespace } from '../../json-scan';
import type { CollateralJson } from '../../tee/hardware/collateral';
import { parseRevocationList } from '../../tee/x509/revocation-list';
import type { RecordedResponse } from './recording';

const DEPTH_MAX = 16;
const DER_SEQUENCE = 0x30;
const LONG_LENGTH = 0x80;
const ROOT_LIST_URL = /\/(?:IntelSGXRootCA\.(?:der|crl)|rootcacrl)(?:\?|$)/i;
const AMD = /\bARK-|Advanced Micro Devices/;
const DOCUMENTS_MAX = 32;

/** Headers with the signer's certificate chain (Intel PCS API, version 4; with `sgx-` in older services). */
const TCB_CHAIN = ['tcb-info-issuer-chain', 'sgx-tcb-info-issuer-chain'] as const;
const IDENTITY_CHAIN = ['sgx-enclave-identity-issuer-chain'] as const;
const LIST_CHAIN = ['sgx-pck-crl-issuer-chain'] as const;

interface SignedDocument {
  /** Byte for byte as signed. */
  text: string;
  signature: string;
  chain: string;
}

/** Collects answers of Intel's collateral service or of its caches, recognized by format. */
export class IntelDocuments {
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

  /** Returns the last revocation list of each issuer chain. */
  #uniqueLists() {
    return [...new Map(this.#pckLists.map((each) => [each.chain, each])).values()].slice(0, DOCUMENTS_MAX);
  }

  /**
   * Stores a root revocation list, and returns whether the response is one. A response from the list's URL counts even
   * if unreadable, so that the revocation check reports the fault.
   */
  #takeRootList(url: string, body: Uint8Array): boolean {
    if (!ROOT_LIST_URL.test(url) && !isListOfAnother(body)) return false;
    this.#rootList = listText(body);
    return true;
  }
}

/** Returns whether the bytes are a revocation list that AMD did not issue. */
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

/** Converts a list to hex. Intel's service returns DER; caches return hex of DER. */
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
 * Returns whether bytes begin like a DER certificate or list: a SEQUENCE with a multi-byte length. Text that begins
 * with `0` has no such length.
 */
export function isDer(bytes: Uint8Array): boolean {
  return bytes[0] === DER_SEQUENCE && ((bytes[1] ?? 0) & LONG_LENGTH) !== 0;
}
