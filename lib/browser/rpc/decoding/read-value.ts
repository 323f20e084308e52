import { formatCount } from '../../amounts';
import type { Reading } from './reading';
import { readRevert } from './read-revert';
import { readAbiText, readText } from './read-text';
import { scaled } from './scaled';

/** Where a value stands, which tells much of what it means. */
export interface ValuePlace {
  /** The name of its member; null where it has none. */
  name: string | null;
  /** The sign of the chain's own currency: `ETH`, `SOL`. */
  symbol: string;
}

/** Longer values are only measured: nobody reads them as a text or a number. In digits. */
const HEX_DIGITS_MAX = 20_000;

/** Whether a text can be decoded at all: hexadecimal with at least one digit. */
export function isDecodable(value: string): boolean {
  return value.length > 2 && value.startsWith('0x') && !/[^0-9a-f]/i.test(value.slice(2));
}

/**
 * Everything that a hexadecimal value (`isDecodable`) can be read as, the likeliest first: a reason for a revert, a
 * text, a whole number, an amount, a time, an address. Never throws, and never empty.
 */
export function readHexValue(hex: string, place: ValuePlace): Reading[] {
  const digits = hex.slice(2).toLowerCase();
  if (digits.length > HEX_DIGITS_MAX) return [sizeOf(digits)];
  const revert = readRevert(digits);
  if (revert !== null) return [revert];
  const readings = [...textsIn(digits), ...numbersIn(digits, place), ...addressIn(digits), ...callIn(digits)];
  return readings.length === 0 || digits.length > 64 ? [...readings, sizeOf(digits)] : readings;
}

/** What a JSON number of an answer can be read as: a time, or an amount of the smallest unit. Empty for most. */
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

/** Of a quantity (EIP-1474: no zeros in front), or a word of 32 bytes. */
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

/** As money where the name says that it is some, or where the size does. */
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

/** As Unix time in seconds. `isTold`: the name says that it is a time, of whatever year. */
function timeOf(seconds: bigint, isTold: boolean): Reading[] {
  if (seconds < (isTold ? 1n : SECONDS_FROM) || seconds >= SECONDS_TO) return [];
  const atMs = Number(seconds) * 1000;
  return [{ kind: 'time', text: new Date(atMs).toISOString().replace('.000', ''), atMs }];
}

/** A word whose first 12 bytes are zero, and that is no small number. */
function addressIn(digits: string): Reading[] {
  return /^0{24}(?!0{12})[0-9a-f]{40}$/.test(digits) ? [{ kind: 'address', text: `0x${digits.slice(24)}` }] : [];
}

/** What is sent to a contract: the selector of a function, then words. */
function callIn(digits: string): Reading[] {
  const words = (digits.length - 8) / 64;
  if (!Number.isInteger(words) || words < 1) return [];
  return [{ kind: 'call', text: `0x${digits.slice(0, 8)} + ${words} × 32` }];
}

function sizeOf(digits: string): Reading {
  return { kind: 'size', text: formatCount(Math.ceil(digits.length / 2)) };
}
