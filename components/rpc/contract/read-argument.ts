import { type JsonNode, JsonSyntaxError, parseJsonDocument } from '@/lib/browser/text/json-document';
import type { AbiFunction, AbiParameter } from 'viem';
import { encodeFunctionData, isAddress } from 'viem/utils';
import { replaceParam } from '../request-edits';
import { checkRequest, composeRequest } from '../request-text';
import { rpcContractWords as words } from '../tool-words';

/** Value in the form that viem encodes: an integer is a bigint, and a tuple is an object if all members have names. */
type ArgumentValue = string | boolean | bigint | readonly ArgumentValue[] | { readonly [name: string]: ArgumentValue };

export type ArgumentReading = { ok: true; value: ArgumentValue } | { ok: false; problem: string };

/**
 * Parses the text typed for a parameter. Lists and tuples are JSON, whose numbers keep all digits; other values are
 * plain text. Never throws.
 */
export function readArgument(parameter: AbiParameter, typed: string): ArgumentReading {
  if (parameter.type === 'string') return { ok: true, value: typed };
  const text = typed.trim();
  if (text === '') return fail(words.missing);
  if (!isCompound(parameter)) return readScalar(parameter.type, text);
  try {
    return readNode(parameter, parseJsonDocument(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return fail(words.badJson(error.message));
    throw error;
  }
}

/** Returns whether the user types a parameter as JSON (a list or a tuple). */
export function isCompound({ type }: AbiParameter): boolean {
  return type.endsWith(']') || type === 'tuple';
}

export function exampleOf(parameter: AbiParameter): string {
  const item = itemOf(parameter);
  if (item !== null) return `[${exampleOf(item)}]`;
  if (parameter.type === 'tuple')
    return `{${membersOf(parameter)
      .map((member, index) => `"${nameOf(member, index)}": ${exampleOf(member)}`)
      .join(', ')}}`;
  if (/^u?int/.test(parameter.type)) return '1';
  if (parameter.type === 'bool') return 'true';
  return parameter.type === 'string' ? '"text"' : '"0x…"';
}

function readNode(parameter: AbiParameter, node: JsonNode): ArgumentReading {
  const item = itemOf(parameter);
  if (item !== null) return readList(item, lengthOf(parameter), node);
  if (parameter.type === 'tuple') return readTuple(membersOf(parameter), node);
  if (node.kind === 'string')
    return parameter.type === 'string'
      ? { ok: true, value: node.value }
      : readScalar(parameter.type, node.value.trim());
  if (node.kind === 'number' && /^u?int/.test(parameter.type)) return readScalar(parameter.type, node.source);
  if (node.kind === 'literal' && parameter.type === 'bool') return readScalar('bool', String(node.value));
  return fail(words.needsText);
}

function readList(item: AbiParameter, length: number | null, node: JsonNode): ArgumentReading {
  if (node.kind !== 'array') return fail(words.needsList);
  if (length !== null && node.items.length !== length) return fail(words.wrongLength(length, node.items.length));
  return all(node.items.map((each, index) => [words.item(index), readNode(item, each)] as const));
}

function readTuple(members: readonly AbiParameter[], node: JsonNode): ArgumentReading {
  const names = members.map(nameOf);
  const given =
    node.kind === 'array'
      ? node.items
      : node.kind === 'object'
        ? names.map((name) => node.members.findLast(([key]) => key === name)?.[1])
        : null;
  if (given === null || (node.kind === 'array' && given.length !== members.length))
    return fail(words.needsTuple(names.join(', ')));
  const read = all(
    members.map((member, index) => {
      const value = given[index];
      return [
        names[index] ?? '',
        value === undefined ? fail(words.missingMember(names[index] ?? '')) : readNode(member, value),
      ] as const;
    }),
  );
  // viem expects tuples with unnamed members as lists.
  const isNamed = members.every(({ name }) => Boolean(name)) && new Set(names).size === names.length;
  if (!read.ok || !isNamed) return read;
  const values = read.value as readonly ArgumentValue[];
  return { ok: true, value: Object.fromEntries(names.map((name, index) => [name, values[index] as ArgumentValue])) };
}

function all(readings: readonly (readonly [place: string, reading: ArgumentReading])[]): ArgumentReading {
  const values: ArgumentValue[] = [];
  for (const [place, reading] of readings) {
    if (!reading.ok) return fail(words.inItem(place, reading.problem));
    values.push(reading.value);
  }
  return { ok: true, value: values };
}

function readScalar(type: string, text: string): ArgumentReading {
  if (type === 'address') return readAddress(text);
  if (type === 'bool')
    return /^(true|false)$/i.test(text) ? { ok: true, value: text.toLowerCase() === 'true' } : fail(words.badBool);
  const integer = /^(u?)int(\d+)$/.exec(type);
  if (integer !== null)
    return readInteger(type, text, { isSigned: integer[1] === '', bits: BigInt(integer[2] ?? '256') });
  const bytes = /^bytes(\d*)$/.exec(type);
  return bytes === null
    ? fail(words.unsupported(type))
    : readBytes(type, text, bytes[1] === '' ? null : Number(bytes[1]));
}

export function readAddress(text: string): ArgumentReading {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return fail(words.badAddress);
  return isAddress(text) ? { ok: true, value: text } : fail(words.badChecksum);
}

const DIGITS_MAX = 100;

function readInteger(
  type: string,
  text: string,
  { isSigned, bits }: { isSigned: boolean; bits: bigint },
): ArgumentReading {
  const value = wholeNumber(text);
  if (value === null) return fail(words.badWhole);
  const least = isSigned ? -(2n ** (bits - 1n)) : 0n;
  const most = 2n ** (isSigned ? bits - 1n : bits) - 1n;
  return value < least || value > most
    ? fail(words.outOfRange(type, readable(least), readable(most)))
    : { ok: true, value };
}

function wholeNumber(text: string): bigint | null {
  if (text.length > DIGITS_MAX) return null;
  if (/^-?\d+$/.test(text) || /^0x[0-9a-f]+$/i.test(text)) return BigInt(text);
  const power = /^(-?\d+)e(\d{1,2})$/i.exec(text);
  return power === null ? null : BigInt(power[1] ?? '0') * 10n ** BigInt(power[2] ?? '0');
}

function readable(bound: bigint): string {
  const text = bound.toString();
  if (text.length < 12) return text;
  return bound < 0n ? `-2^${(-bound).toString(2).length - 1}` : `2^${bound.toString(2).length} - 1`;
}

function readBytes(type: string, text: string, size: number | null): ArgumentReading {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) return fail(words.badHex);
  const given = (text.length - 2) / 2;
  return size !== null && given !== size ? fail(words.wrongSize(type, size, given)) : { ok: true, value: text };
}

function itemOf(parameter: AbiParameter): AbiParameter | null {
  return parameter.type.endsWith(']')
    ? { ...parameter, name: '', type: parameter.type.slice(0, parameter.type.lastIndexOf('[')) }
    : null;
}

function lengthOf({ type }: AbiParameter): number | null {
  const length = type.slice(type.lastIndexOf('[') + 1, -1);
  return length === '' ? null : Number(length);
}

function membersOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

function nameOf({ name }: AbiParameter, index: number): string {
  return name || String(index);
}

function fail(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

/** Encodes a call: the function's selector and arguments (Solidity ABI specification), as `0x…`. */
export function callData(called: AbiFunction, args: readonly ArgumentValue[]): string {
  return encodeFunctionData({ abi: [called], functionName: called.name, args });
}

/** Writes an `eth_call` of a contract. If `text` is an `eth_call`, keeps its id, block and other fields. */
export function writeContractCall(text: string, to: string, data: string): string {
  const check = checkRequest(text);
  const call = check.ok && !check.isBatch ? check.calls[0] : undefined;
  if (!check.ok || call?.method !== 'eth_call' || call.paramsByName)
    return composeRequest('eth_call', [{ to, data }, 'latest']);
  const before = call.params[0];
  const kept =
    before?.kind === 'object' ? before.members.filter(([key]) => !['to', 'data', 'input'].includes(key)) : [];
  const transaction: JsonNode = {
    kind: 'object',
    members: [...kept, ['to', { kind: 'string', value: to }], ['data', { kind: 'string', value: data }]],
  };
  const written = replaceParam(check.document, 0, transaction);
  return call.params.length > 1
    ? written
    : replaceParam(parseJsonDocument(written), 1, { kind: 'string', value: 'latest' });
}
