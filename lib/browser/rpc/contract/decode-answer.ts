import type { Abi, AbiFunction, AbiParameter, Hex } from 'viem';
import { decodeErrorResult, decodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { signatureOf, typeOf, type ContractAbi } from './contract-abi';

/** Value that a function returned or an error carried. */
export interface DecodedOutput {
  name: string;
  type: string;
  /** Value as text: lists and tuples as JSON, integers with all digits. */
  text: string;
}

export type DecodedAnswer =
  | { kind: 'result'; signature: string; outputs: readonly DecodedOutput[] }
  | { kind: 'error'; name: string; outputs: readonly DecodedOutput[] }
  | { kind: 'empty' | 'other-shape'; signature: string };

/** Decodes the result or error of a call with this data; null if the ABI lacks the function. Never throws. */
export function decodeAnswer(
  { functions, abi }: ContractAbi,
  data: string,
  { result, errorData }: { result?: unknown; errorData?: unknown },
): DecodedAnswer | null {
  const called = functions.find((each) => toFunctionSelector(each) === data.slice(0, 10).toLowerCase());
  if (called === undefined) return null;
  if (isHex(errorData)) return decodeError(abi, errorData);
  if (!isHex(result)) return null;
  const signature = signatureOf(called);
  if (result === '0x' && called.outputs.length > 0) return { kind: 'empty', signature };
  const values = decodeOutputs(called, result);
  return values === null
    ? { kind: 'other-shape', signature }
    : { kind: 'result', signature, outputs: named(called.outputs, values) };
}

function decodeOutputs(called: AbiFunction, data: Hex): readonly unknown[] | null {
  if (called.outputs.length === 0) return [];
  try {
    const value = decodeFunctionResult({ abi: [called], functionName: called.name, data });
    return called.outputs.length === 1 ? [value] : (value as readonly unknown[]);
  } catch {
    return null;
  }
}

function decodeError(abi: Abi, data: Hex): DecodedAnswer | null {
  try {
    const { errorName, args = [], abiItem } = decodeErrorResult({ abi, data });
    return {
      kind: 'error',
      name: errorName,
      outputs: named('inputs' in abiItem ? abiItem.inputs : [], args as readonly unknown[]),
    };
  } catch {
    return null;
  }
}

function named(parameters: readonly AbiParameter[], values: readonly unknown[]): DecodedOutput[] {
  return parameters.map((parameter, index) => ({
    name: parameter.name ?? '',
    type: typeOf(parameter),
    text: textOf(values[index]),
  }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${jsonOf(member)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? '';
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}
