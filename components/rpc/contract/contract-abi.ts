import type { Abi, AbiFunction, AbiParameter } from 'viem';
import { parseAbi } from 'viem/utils';

/** Parsed ABI. The form lists `functions`; `abi` also has the errors, for decoding answers. */
export interface ContractAbi {
  functions: readonly AbiFunction[];
  abi: Abi;
}

export type AbiFault =
  | { kind: 'too-large' | 'not-json' | 'no-abi' | 'no-functions' }
  | { kind: 'bad-line'; line: number; text: string };

const ABI_CHARACTERS_MAX = 1_000_000;
const LINES_MAX = 2_000;

/**
 * Parses an ABI. Accepts a JSON array, a build artifact or an explorer's answer with such an array, and human-readable
 * signatures, one per line. Keeps only functions and errors.
 */
export function readContractAbi(text: string): ContractAbi | AbiFault {
  if (text.length > ABI_CHARACTERS_MAX) return { kind: 'too-large' };
  const items = /^\s*["[{]/.test(text) ? readJson(text) : readSignatures(text);
  if ('kind' in items) return items;
  const functions = items.filter((item): item is AbiFunction => item.type === 'function');
  return functions.length === 0 ? { kind: 'no-functions' } : { functions, abi: items };
}

/** Returns the signature, such as `transfer(address,uint256)`. The signature distinguishes overloaded functions. */
export function signatureOf({ name, inputs }: Pick<AbiFunction, 'name' | 'inputs'>): string {
  return `${name}(${inputs.map(typeOf).join(',')})`;
}

/** Returns a parameter's type in the form that signatures use. A tuple becomes the list of its members' types. */
export function typeOf(parameter: AbiParameter): string {
  return 'components' in parameter
    ? parameter.type.replace('tuple', `(${parameter.components.map(typeOf).join(',')})`)
    : parameter.type;
}

/** Returns whether a transaction with this call could change the chain; `eth_call` never does. */
export function changesState({ stateMutability }: AbiFunction): boolean {
  return stateMutability !== 'view' && stateMutability !== 'pure';
}

type AbiItems = (AbiFunction | Extract<Abi[number], { type: 'error' }>)[];

function readJson(text: string): AbiItems | AbiFault {
  let json: unknown;
  try {
    json = JSON.parse(text);
    // An explorer's answer has the ABI as a string inside its JSON.
    for (let depth = 0; depth < 3 && !Array.isArray(json); depth++) json = inside(json);
  } catch {
    return { kind: 'not-json' };
  }
  return Array.isArray(json) ? json.flatMap((item) => readItem(item) ?? []) : { kind: 'no-abi' };
}

function inside(json: unknown): unknown {
  if (typeof json === 'string') return JSON.parse(json);
  if (typeof json !== 'object' || json === null) return null;
  return 'abi' in json ? json.abi : 'result' in json ? json.result : null;
}

function readItem(item: unknown): AbiItems[number] | null {
  if (typeof item !== 'object' || item === null) return null;
  const { type, name, inputs, outputs = [], stateMutability } = item as Record<string, unknown>;
  const read = readParameters(inputs);
  const returned = readParameters(outputs);
  if (typeof name !== 'string' || name === '' || read === null || returned === null) return null;
  if (type === 'error') return { type, name, inputs: read };
  if (type !== 'function') return null;
  const mutability = (['view', 'pure', 'payable'] as const).find((each) => each === stateMutability) ?? 'nonpayable';
  return { type, name, inputs: read, outputs: returned, stateMutability: mutability };
}

const TYPE =
  /^(?:address|bool|string|function|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?|tuple)((?:\[\d*\])*)$/;
const DEPTH_MAX = 20;

/** Returns null if a parameter has an invalid type. */
function readParameters(values: unknown, depth = 0): AbiParameter[] | null {
  if (!Array.isArray(values) || depth > DEPTH_MAX) return null;
  const read = values.map((value) => readParameter(value, depth));
  return read.every((parameter) => parameter !== null) ? read : null;
}

function readParameter(value: unknown, depth: number): AbiParameter | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, type, components } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !TYPE.test(type)) return null;
  const named = { name: typeof name === 'string' ? name : '' };
  if (!type.startsWith('tuple')) return { ...named, type: type.replace(/^(u?int)(?=\[|$)/, '$1256') };
  const members = readParameters(components, depth + 1);
  return members === null ? null : { ...named, type, components: members };
}

function readSignatures(text: string): AbiItems | AbiFault {
  const lines = text
    .split('\n')
    .slice(0, LINES_MAX)
    .flatMap((line, index) => {
      const signature = line
        .replace(/\/\/.*$/, '')
        .trim()
        .replace(/;$/, '')
        .trim();
      return signature === ''
        ? []
        : [{ signature: /^\w+\s*\(/.test(signature) ? `function ${signature}` : signature, number: index + 1 }];
    });
  const parsed = parseLines(lines.map(({ signature }) => signature));
  if (parsed !== null)
    return parsed.filter((item): item is AbiItems[number] => item.type === 'function' || item.type === 'error');
  const structs = lines.map(({ signature }) => signature).filter((signature) => signature.startsWith('struct '));
  const bad =
    lines.find(({ signature }) => !signature.startsWith('struct ') && parseLines([...structs, signature]) === null) ??
    lines[0];
  return bad === undefined
    ? { kind: 'no-functions' }
    : { kind: 'bad-line', line: bad.number, text: bad.signature.slice(0, 80) };
}

function parseLines(lines: readonly string[]): Abi | null {
  if (lines.length === 0) return [];
  try {
    // viem's type accepts only literals; at run time `parseAbi` accepts any text.
    return (parseAbi as (signatures: readonly string[]) => Abi)(lines);
  } catch {
    return null;
  }
}

export const STANDARD_ABIS: Readonly<Record<string, string>> = {
  'ERC-20': `function name() view returns (string)
function symbol() view returns (string)
function decimals() view returns (uint8)
function totalSupply() view returns (uint256)
function balanceOf(address owner) view returns (uint256)
function allowance(address owner, address spender) view returns (uint256)
function transfer(address to, uint256 amount) returns (bool)`,
  'ERC-721': `function name() view returns (string)
function symbol() view returns (string)
function ownerOf(uint256 tokenId) view returns (address)
function balanceOf(address owner) view returns (uint256)
function tokenURI(uint256 tokenId) view returns (string)
function getApproved(uint256 tokenId) view returns (address)
function isApprovedForAll(address owner, address operator) view returns (bool)`,
  'ERC-4626': `function asset() view returns (address)
function totalAssets() view returns (uint256)
function convertToAssets(uint256 shares) view returns (uint256)
function convertToShares(uint256 assets) view returns (uint256)
function maxWithdraw(address owner) view returns (uint256)
function balanceOf(address owner) view returns (uint256)`,
};
