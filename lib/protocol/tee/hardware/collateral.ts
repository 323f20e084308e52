import { hexToBytes } from '@noble/hashes/utils.js';
import { asArray, asHex, asObject, asString, type JsonObject } from '../json-shape';
import { Malformed } from '../malformed';

/**
 * Intel's collateral for verifying a quote, in the format of PCCS clients. Texts are byte for byte as signed. Chains
 * are PEM, leaf first.
 */
export interface Collateral {
  pckCrlIssuerChain: string;
  rootCaCrl: Uint8Array;
  pckCrl: Uint8Array;
  tcbInfoIssuerChain: string;
  tcbInfo: string;
  tcbInfoSignature: Uint8Array;
  qeIdentityIssuerChain: string;
  qeIdentity: string;
  qeIdentitySignature: Uint8Array;
}

/** Collateral as JSON, with byte strings in hex. */
export type CollateralJson = Readonly<
  Record<
    | 'pck_crl_issuer_chain'
    | 'root_ca_crl'
    | 'pck_crl'
    | 'tcb_info_issuer_chain'
    | 'tcb_info'
    | 'tcb_info_signature'
    | 'qe_identity_issuer_chain'
    | 'qe_identity'
    | 'qe_identity_signature',
    string
  >
>;

const SIGNATURE_BYTES = 64;
const BYTES_MAX = 1_048_576;

/**
 * Parses collateral. Byte strings may be hex or arrays of numbers, because services differ.
 *
 * @throws {Malformed}
 */
export function readCollateral(value: unknown): Collateral {
  const json = asObject(value, 'collateral');
  const text = (name: string) => boundedText(json[name], `collateral.${name}`);
  return {
    pckCrlIssuerChain: text('pck_crl_issuer_chain'),
    rootCaCrl: bytesOf(json, 'root_ca_crl'),
    pckCrl: bytesOf(json, 'pck_crl'),
    tcbInfoIssuerChain: text('tcb_info_issuer_chain'),
    tcbInfo: text('tcb_info'),
    tcbInfoSignature: bytesOf(json, 'tcb_info_signature', SIGNATURE_BYTES),
    qeIdentityIssuerChain: text('qe_identity_issuer_chain'),
    qeIdentity: text('qe_identity'),
    qeIdentitySignature: bytesOf(json, 'qe_identity_signature', SIGNATURE_BYTES),
  };
}

function boundedText(value: unknown, path: string): string {
  const text = asString(value, path);
  if (text.length > BYTES_MAX) throw new Malformed(`${path} is too long.`);
  return text;
}

function bytesOf(json: JsonObject, name: string, length?: number): Uint8Array {
  const value = json[name];
  const path = `collateral.${name}`;
  if (typeof value === 'string') return hexToBytes(asHex(value, path, length).toLowerCase());
  const items = asArray(value, path, BYTES_MAX);
  const isBytes = items.every((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255);
  if (!isBytes || (length !== undefined && items.length !== length)) throw new Malformed(`${path} must be bytes.`);
  return Uint8Array.from(items as number[]);
}
