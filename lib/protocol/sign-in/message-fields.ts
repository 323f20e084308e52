import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Error for a malformed sign-in. The sender sees the error's text, which repeats none of the sign-in's content. */
export class MalformedSignIn extends Error {
  override readonly name = 'MalformedSignIn';
}

/** Longest age of a message without an expiry, and recommended lifetime (spec). */
export const SIGN_IN_LIFETIME_MS = 600_000;

export const BASE_MAINNET = 'eip155:8453';
/** CAIP-2 name of Solana's mainnet, with the first 32 characters of its genesis hash. */
export const SOLANA_MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

const DIGITS = /^\d{1,20}$/;
const EVM = /^eip155:(\d{1,20})$/;
const SOLANA = /^(?:solana:)?([1-9A-HJ-NP-Za-km-z]{32})$/;
const SOLANA_MAINNET_NAMES: readonly string[] = ['mainnet', 'solana:mainnet'];

/**
 * Returns the CAIP-2 name of a sign-in's chain, or null if invalid. Accepts a number or its digits for EVM, and the
 * reference of a Solana cluster with or without namespace.
 */
export function canonicalChainId(chainId: string | number): string | null {
  const text = String(chainId);
  const digits = DIGITS.test(text) ? text : EVM.exec(text)?.[1];
  if (digits !== undefined) return `eip155:${BigInt(digits)}`;
  if (SOLANA_MAINNET_NAMES.includes(text)) return SOLANA_MAINNET;
  const reference = SOLANA.exec(text)?.[1];
  return reference === undefined ? null : `solana:${reference}`;
}

/** Returns the CAIP-2 reference, for a message's Chain ID line. */
export function chainReference(caip2: string): string {
  return caip2.slice(caip2.indexOf(':') + 1);
}

/**
 * Converts an address to its EIP-55 checksum case.
 *
 * @param address 0x and 40 hex digits in any letter case
 */
export function toChecksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return `0x${[...digits].map((digit, index) => (parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/i;
const MINUTE_MS = 60_000;

/**
 * Parses an RFC 3339 date and time to Unix milliseconds. Null if invalid, or if the day or hour does not exist. A leap
 * second counts as the next second.
 */
export function parseDateTime(text: string): number | null {
  const found = FORM.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offsetMs = offsetOf(found[8] as string);
  if (offsetMs === null) return null;
  const milliseconds = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return date.setUTCHours(hour, minute, second, milliseconds) - offsetMs;
}

function offsetOf(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

const UNRESERVED_OR_SUB = "A-Za-z0-9\\-._~!$&'()*+,;=";
const PERCENT = '%[0-9A-Fa-f]{2}';
const PCHAR = `(?:[${UNRESERVED_OR_SUB}:@]|${PERCENT})`;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const H16 = '[0-9A-Fa-f]{1,4}';
const LS32 = `(?:${H16}:${H16}|${IPV4})`;
const IPV6 = [
  `(?:${H16}:){6}${LS32}`,
  `::(?:${H16}:){5}${LS32}`,
  `(?:${H16})?::(?:${H16}:){4}${LS32}`,
  `(?:(?:${H16}:){0,1}${H16})?::(?:${H16}:){3}${LS32}`,
  `(?:(?:${H16}:){0,2}${H16})?::(?:${H16}:){2}${LS32}`,
  `(?:(?:${H16}:){0,3}${H16})?::${H16}:${LS32}`,
  `(?:(?:${H16}:){0,4}${H16})?::${LS32}`,
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join('|');
const IP_LITERAL = `\\[(?:${IPV6}|[vV][0-9A-Fa-f]+\\.[${UNRESERVED_OR_SUB}:]+)\\]`;
const REG_NAME = `(?:[${UNRESERVED_OR_SUB}]|${PERCENT})*`;
const USERINFO = `(?:(?:[${UNRESERVED_OR_SUB}:]|${PERCENT})*@)?`;
const AUTHORITY = `${USERINFO}(?:${IP_LITERAL}|${REG_NAME})(?::\\d*)?`;

const PATH = `(?://${AUTHORITY}(?:/${PCHAR}*)*|/(?:${PCHAR}+(?:/${PCHAR}*)*)?|${PCHAR}+(?:/${PCHAR}*)*)?`;
const REST = `(?:${PCHAR}|[/?])*`;

const URI_FORM = new RegExp(`^[A-Za-z][A-Za-z0-9+\\-.]*:${PATH}(?:\\?${REST})?(?:#${REST})?$`);
const AUTHORITY_FORM = new RegExp(`^${AUTHORITY}$`);
const PCHARS_FORM = new RegExp(`^${PCHAR}*$`);

/** Returns whether the text is a URI with a scheme (RFC 3986, `URI`), in linear time. */
export function isUri(text: string): boolean {
  return URI_FORM.test(text);
}

/** Returns whether the text is a non-empty host with optional user information and port (RFC 3986, `authority`). */
export function isAuthority(text: string): boolean {
  return text !== '' && AUTHORITY_FORM.test(text);
}

/** Returns whether all characters may occur in a path segment (RFC 3986, `*pchar`). */
export function isPchars(text: string): boolean {
  return PCHARS_FORM.test(text);
}
