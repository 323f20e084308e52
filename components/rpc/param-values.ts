import { isAddress } from 'viem/utils';
import type { JsonNode } from '@/lib/browser/text/json-document';
import { formatCount } from '@/lib/browser/text/amounts';
import { rpcParameterWords as words } from './tool-words';

/** Tags of EVM blocks, the most used first. */
export const BLOCK_TAGS = ['latest', 'safe', 'finalized', 'pending', 'earliest'] as const;

export const AMOUNT_UNITS = { ether: 18, gwei: 9, wei: 0 } as const;
export type AmountUnit = keyof typeof AMOUNT_UNITS;

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const GROUPED = /^\d{1,3}(?:[,_ ]\d{3})+$/;
const DIGITS_MAX = 78;

/** Converts an entered number, such as `62` or `0x3e`, to a quantity; null for other text. */
export function quantityOf(typed: string): string | null {
  const trimmed = typed.trim();
  // Removes separators only between groups of three digits, because `1,5` may mean 1.5.
  const text = GROUPED.test(trimmed) ? trimmed.replaceAll(/[,_ ]/g, '') : trimmed;
  if (QUANTITY.test(text)) return `0x${BigInt(text).toString(16)}`;
  return /^\d+$/.test(text) && text.length <= DIGITS_MAX ? `0x${BigInt(text).toString(16)}` : null;
}

/** Returns a quantity as a decimal number with grouped digits; null for other text. */
export function decimalOf(quantity: string): string | null {
  return QUANTITY.test(quantity) ? formatCount(BigInt(quantity)) : null;
}

/**
 * Converts an amount, such as `1.5` ether, to a quantity in wei; null if it is invalid or not a whole number of wei.
 */
export function weiOf(typed: string, unit: AmountUnit): string | null {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,18}))?$/.exec(typed.trim()) ?? [];
  const decimals = AMOUNT_UNITS[unit];
  if (whole === undefined || fraction.length > decimals) return null;
  return `0x${BigInt(whole + fraction.padEnd(decimals, '0')).toString(16)}`;
}

/** Converts a quantity in wei to an amount, without grouping; empty for other text. */
export function amountOf(quantity: string, unit: AmountUnit): string {
  if (!QUANTITY.test(quantity)) return '';
  const decimals = AMOUNT_UNITS[unit];
  const digits = BigInt(quantity)
    .toString()
    .padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (decimals === 0 || fraction === '' ? '' : `.${fraction}`);
}

/** Returns the largest unit in which an amount in wei is not a tiny fraction. */
export function unitOf(quantity: string): AmountUnit {
  if (!QUANTITY.test(quantity)) return 'ether';
  const wei = BigInt(quantity);
  return wei === 0n || wei >= 10n ** 14n ? 'ether' : wei >= 10n ** 6n ? 'gwei' : 'wei';
}

/** Returns what is wrong with the EVM address that the user entered; null if valid or empty. */
export function addressFault(text: string): string | null {
  if (text === '' || isAddress(text)) return null;
  if (/^[^\s.]+(\.[^\s.]+)+$/.test(text)) return words.noNames;
  return isAddress(text, { strict: false }) ? words.badChecksum : words.badAddress;
}

export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast(([key]) => key === name)?.[1] : undefined;
}

/** Sets a member of an object; null removes it. */
export function withMember(node: JsonNode | undefined, name: string, value: JsonNode | null): JsonNode {
  const members = node?.kind === 'object' ? node.members : [];
  const rest = members.filter(([key]) => key !== name || value !== null);
  if (value === null) return { kind: 'object', members: rest };
  const isThere = rest.some(([key]) => key === name);
  return {
    kind: 'object',
    members: isThere ? rest.map(([key, old]) => [key, key === name ? value : old]) : [...rest, [name, value]],
  };
}
