import { formatCount } from '@/lib/browser/text/amounts';
import { scaled } from './summarize-quantity';

/** Member name and chain of a value. The page guesses the value's meaning from them. */
export interface ValuePlace {
  name: string | null;
  /** Symbol of the chain's currency, such as `ETH` or `SOL`. */
  symbol: string;
}

export interface Reading {
  kind: 'revert' | 'panic' | 'text' | 'decimal' | 'signed' | 'native' | 'gwei' | 'time' | 'address' | 'call' | 'size';
  /** Text to copy. Digits are grouped; times are ISO 8601 in UTC. */
  text: string;
  /** Time in Unix milliseconds, for display in the local zone. */
  atMs?: number;
}

/** Maximum digits of a decoded value. If a value is longer, the page shows only its size. */
const HEX_DIGITS_MAX = 20_000;

/** Returns whether a string can be decoded: hexadecimal with at least one digit. */
export function isDecodable(value: string): boolean {
  return value.length > 2 && value.startsWith('0x') && !/[^0-9a-f]/i.test(value.slice(2));
}

/**
 * Returns interpretations of a hexadecimal value (`isDecodable`), most likely first, such as a text, an integer or an
 * address. Never throws, never returns an empty list.
 */
export function readHexValue(hex: string, place: ValuePlace): Reading[] {
  const digits = hex.slice(2).toLowerCase();
  if (digits.length > HEX_DIGITS_MAX) return [sizeOf(digits)];
  const revert = readRevert(digits);
  if (revert !== null) return [revert];
  const readings = [...textsIn(digits), ...numbersIn(digits, place), ...addressIn(digits), ...callIn(digits)];
  return readings.length === 0 || digits.length > 64 ? [...readings, sizeOf(digits)] : readings;
}

/** Interprets a JSON number as a time, or as an amount in the smallest unit. Returns an empty list for most numbers. */
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

/** Interprets a quantity (EIP-1474: no leading zeros) or a 32-byte word as numbers. */
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

/** Interprets Unix seconds. If `isTold` is true, the value's name indicates a time, so years before 2009 count too. */
function timeOf(seconds: bigint, isTold: boolean): Reading[] {
  if (seconds < (isTold ? 1n : SECONDS_FROM) || seconds >= SECONDS_TO) return [];
  const atMs = Number(seconds) * 1000;
  return [{ kind: 'time', text: new Date(atMs).toISOString().replace('.000', ''), atMs }];
}

/** Interprets a word with 12 leading zero bytes as an address, unless the word is a small number. */
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

const ERROR_STRING = '08c379a0';
const PANIC = '4e487b71';

/** Meanings of Solidity's panic codes (Solidity documentation, "Panic via assert and Error via require"). */
const PANICS: Readonly<Record<number, string>> = {
  0x00: 'a panic that the compiler put in',
  0x01: 'an assertion failed',
  0x11: 'arithmetic overflowed or underflowed',
  0x12: 'division or modulo by zero',
  0x21: 'a number is no value of its enum',
  0x22: 'a byte array in storage is encoded wrongly',
  0x31: 'pop() on an empty array',
  0x32: 'an array index is out of bounds',
  0x41: 'too much memory was asked for',
  0x51: 'a function variable was called that was never set',
};

/**
 * Decodes a revert reason in Solidity's built-in formats, `Error(string)` and `Panic(uint256)`; null for other data.
 */
function readRevert(digits: string): Reading | null {
  const words = digits.slice(8);
  if (digits.startsWith(ERROR_STRING) && numberAt(words, 0) === 32) {
    const text = readDynamicText(words, 1);
    return text === null ? null : { kind: 'revert', text };
  }
  if (!digits.startsWith(PANIC) || words.length !== 64) return null;
  const code = numberAt(words, 0);
  if (code === null) return null;
  return {
    kind: 'panic',
    text: `0x${code.toString(16).padStart(2, '0')}: ${PANICS[code] ?? 'a code that Solidity does not document'}`,
  };
}

/**
 * Decodes bytes as UTF-8 without trailing zeros (the padding of `bytes32`). Returns null for fewer than two characters,
 * and for text with control or direction characters.
 * @param digits bytes in hexadecimal, without `0x`
 */
function readText(digits: string): string | null {
  if (digits.length % 2 !== 0) return null;
  const text = decode(digits.replace(/(?:00)+$/, ''));
  return text === null || text.length < 2 ? null : text;
}

/**
 * Decodes an ABI-encoded `string`, or `bytes` that contain text. The encoding is an offset of 32, the length, the text
 * and zero padding.
 */
function readAbiText(digits: string): string | null {
  return digits.length >= 128 && digits.length % 64 === 0 && numberAt(digits, 0) === 32
    ? readDynamicText(digits, 1)
    : null;
}

/** Decodes the text whose length is in word `at`; null if bytes are missing or are not text. */
function readDynamicText(digits: string, at: number): string | null {
  const length = numberAt(digits, at);
  const start = (at + 1) * 64;
  if (length === null || start + length * 2 > digits.length || /[^0]/.test(digits.slice(start + length * 2)))
    return null;
  return length === 0 ? null : decode(digits.slice(start, start + length * 2));
}

/** Returns a word as a number; null for 2^32 and above. */
function numberAt(digits: string, word: number): number | null {
  const text = digits.slice(word * 64, (word + 1) * 64);
  return /^0{56}[0-9a-f]{8}$/.test(text) ? parseInt(text, 16) : null;
}

function decode(digits: string): string | null {
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_unused, index) =>
    parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[^\P{C}\t\r\n]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
