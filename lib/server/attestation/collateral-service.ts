import { scanObject, skipWhitespace } from '@/lib/protocol/json-scan';
import type { CollateralJson } from '@/lib/protocol/tee/hardware/collateral';
import type { QuotedPlatform } from '@/lib/protocol/tee/hardware/quoted-platform';
import { type BoundedAnswer, boundedFetch, ServiceFailed } from './bounded-fetch';

interface CollateralService {
  /** Base URL of Intel's service, or of a cache with the same protocol (PCCS), without a trailing slash. */
  pccsUrl: string;
  /** URL of the root CA's revocation list, in DER or hexadecimal. */
  rootCrlUrl: string;
  timeoutMs: number;
}

const BYTES_MAX = 1_048_576;
const DEPTH_MAX = 16;
const CHAIN_CHARACTERS_MAX = 32_768;

/**
 * Names of the headers that contain issuer chains. Version 4 of the protocol has two names for the TCB info's header.
 */
const HEADERS = {
  tcbInfo: ['tcb-info-issuer-chain', 'sgx-tcb-info-issuer-chain'],
  qeIdentity: ['sgx-enclave-identity-issuer-chain'],
  pckCrl: ['sgx-pck-crl-issuer-chain'],
} as const;

/**
 * Fetches the collateral of a platform (Intel PCS API, version 4). Does not verify it.
 * @throws ServiceFailed
 */
export async function fetchCollateral(
  { pccsUrl, rootCrlUrl, timeoutMs }: CollateralService,
  { fmspc, authority }: QuotedPlatform,
): Promise<CollateralJson> {
  const get = (url: string) => boundedFetch({ name: 'The collateral service', url, timeoutMs, bytesMax: BYTES_MAX });
  const [tcbInfo, qeIdentity, pckCrl, rootCrl] = await Promise.all([
    get(`${pccsUrl}/tdx/certification/v4/tcb?${new URLSearchParams({ fmspc })}`),
    get(`${pccsUrl}/tdx/certification/v4/qe/identity?update=standard`),
    get(`${pccsUrl}/sgx/certification/v4/pckcrl?${new URLSearchParams({ ca: authority, encoding: 'der' })}`),
    get(rootCrlUrl),
  ]);
  const [info, identity] = [signedPart(tcbInfo.body, 'tcbInfo'), signedPart(qeIdentity.body, 'enclaveIdentity')];
  return {
    pck_crl_issuer_chain: chainOf(pckCrl, HEADERS.pckCrl),
    root_ca_crl: listOf(rootCrl),
    pck_crl: listOf(pckCrl),
    tcb_info_issuer_chain: chainOf(tcbInfo, HEADERS.tcbInfo),
    tcb_info: info.text,
    tcb_info_signature: info.signature,
    qe_identity_issuer_chain: chainOf(qeIdentity, HEADERS.qeIdentity),
    qe_identity: identity.text,
    qe_identity_signature: identity.signature,
  };
}

function signedPart(body: Buffer, name: string): { text: string; signature: string } {
  const members = new Map<string, string>();
  const end = scanObject(body, skipWhitespace(body, 0), DEPTH_MAX, (key, from, to) =>
    members.set(key, body.toString('utf8', from, to)),
  );
  const [text, signature] = [members.get(name), /^"([0-9a-fA-F]{128})"$/.exec(members.get('signature') ?? '')?.[1]];
  if (end < 0 || text === undefined || signature === undefined)
    throw new ServiceFailed(`The collateral service answered without ${name} and its signature.`);
  return { text, signature };
}

function chainOf({ headers }: BoundedAnswer, names: readonly string[]): string {
  const value = names.map((name) => headers[name]).find((each) => typeof each === 'string');
  try {
    if (typeof value === 'string' && value.length <= CHAIN_CHARACTERS_MAX) return decodeURIComponent(value);
  } catch {
    // A chain that cannot be decoded is treated as missing.
  }
  throw new ServiceFailed(`The collateral service answered without the header ${names[0]}.`);
}

/** Intel's service sends DER, and caches send DER in hexadecimal. */
function listOf({ body }: BoundedAnswer): string {
  const DER_SEQUENCE = 0x30;
  const text = body.toString('latin1').trim();
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return text.toLowerCase();
  if (body[0] === DER_SEQUENCE) return body.toString('hex');
  throw new ServiceFailed('The collateral service answered with a revocation list that is neither DER nor hex.');
}
