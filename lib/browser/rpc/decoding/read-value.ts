import { formatCount } from '../../amounts';
import type { Reading } from './reading';
import { readRevert } from './read-revert';
import { readAbiText, readText } from './read-text';
import { scaled } from './scaled';

/** Member name and chain of a value, which suggest its meaning. */
export interface ValuePlace {
  name: string | null;
  /** Symbol of the chain's currency, such as `ETH` or `SOL`. */
  symbol: string;
}

/** Maximum digits of a decoded value. Of longer values, the page shows only the size. */
const HEX_DIGITS_MAX = 20_000;

/** Returns whether a string can be decoded: hexadecimal with at least one digit. */
export function isDecodable(value: string): boolean {
  return value.length > 2 && value.startsWith('0x') && !/[^0-9a-f]/i.test(value.slice(2));
}

/**
 * Returns all readings of a hexadecimal value (`isDecodable`), most likely first: a revert reason, a text, an integer,
 * an amount, a time, an address. Never throws, never empty.
 */
export function readHexValue(hex: string, place: ValuePlace): Reading[] {
  const digits = hex.slice(2).toLowerCase();
  if (digits.length > HEX_DIGITS_MAX) return [sizeOf(digits)];
  const revert = readRevert(digits);
  if (revert !== null) return [revert];
  const readings = [...textsIn(digits), ...numbersIn(digits, place), ...addressIn(digits), ...callIn(digits)];
  return readings.length === 0 || digits.length > 64 ? [...readings, sizeOf(digits)] : readings;
}

/** Reads a JSON number as a time, or as an amount in the smallest unit. Most numbers have no such reading. */
export function readNumberValue(source: string, { name, symbol }: ValuePlace): Reading[] {
  if (name === null || !/^\d{1,20}$/.test(source)) return [];
  if (/time/i.test(name)) return timeOf(BigInt(source), false);
  return symbol === 'SOL' && /lamports|^fee$|balance/i.test(name)
    ? [{ kind: 'native', text: `${scaled(BigInt(source), 9)} SOL` }]
    : [];
}

function textsIn(digits: string): Reading[] {
  const text = readAbiText(digits) ?? readText(digits);
  return text === null ? [] : [{ kind: 'text', text }];
}

const SIGN_BIT = 1n << 255n;
const SIGNED_MIN = 1n << 128n;

/** Reads a quantity (EIP-1474: no leading zeros) or a 32-byte word. */
function numbersIn(digits: string, place: ValuePlace): Reading[] {
  const isWord = digits.length === 64;
  if (!isWord && (digits.length > 64 || /^0./.test(digits))) return [];
  const value = BigInt(`0x${digits}`);
  const below = isWord && value >= SIGN_BIT ? (1n << 256n) - value : null;
  return [
    { kind: 'decimal', text: formatCount(value) },
    ...(below !== null && below < SIGNED_MIN ? [{ kind: 'signed', text: `-${formatCount(below)}` } as const] : []),
    ...amountsOf(value, place),
    ...timeOf(value, /time/i.test(place.name ?? '')),
  ];
}

const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;

function amountsOf(wei: bigint, { name, symbol }: ValuePlace): Reading[] {
  const isPrice = /gasprice|fee|tip/i.test(name ?? '');
  const isAmount = /value|balance|amount|reward/i.test(name ?? '');
  const isSized = wei >= GWEI && wei < ETHER * GWEI;
  const native: Reading = { kind: 'native', text: `${scaled(wei, 18)} ${symbol}` };
  const gwei: Reading = { kind: 'gwei', text: `${scaled(wei, 9)} gwei` };
  if (isPrice) return [gwei, native];
  if (!isAmount && !isSized) return [];
  return wei < ETHER / 1000n ? [native, gwei] : [native];
}

const SECONDS_FROM = 1_230_768_000n; // 2009
const SECONDS_TO = 4_102_444_800n; // 2100

/** Reads Unix seconds. `isTold` is true if the name indicates a time; then any year is accepted. */
function timeOf(seconds: bigint, isTold: boolean): Reading[] {
  if (seconds < (isTold ? 1n : SECONDS_FROM) || seconds >= SECONDS_TO) return [];
  const atMs = Number(seconds) * 1000;
  return [{ kind: 'time', text: new Date(atMs).toISOString().replace('.000', ''), atMs }];
}

/** Reads a word with 12 leading zero bytes as an address, unless it is a small number. */
function addressIn(digits: string): Reading[] {
  return /^0{24}(?!0{12})[0-9a-f]{40}$/.test(digits) ? [{ kind: 'address', text: `0x${digits.slice(24)}` }] : [];
}

function callIn(digits: string): Reading[] {
  const words = (digits.length - 8) / 64;
  if (!Number.isInteger(words) || words < 1) return [];
  return [{ kind: 'call', text: `0x${digits.slice(0, 8)} + ${words} × 32` }];
}

function sizeOf(digits: string): Reading {
  return { kind: 'size', text: formatCount(Math.ceil(digits.length / 2)) };
}
