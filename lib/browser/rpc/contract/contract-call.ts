import type { AbiFunction } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { type JsonNode, parseJsonDocument } from '../../json-document';
import { replaceParam } from '../request-edits';
import { checkRequest, composeRequest } from '../request-text';
import type { ArgumentValue } from './read-argument';

/** Encodes a call: the function's selector and arguments (Solidity ABI specification), as `0x…`. */
export function callData(called: AbiFunction, args: readonly ArgumentValue[]): string {
  return encodeFunctionData({ abi: [called], functionName: called.name, args });
}

/**
 * Writes an `eth_call` of a contract. If the text already is an `eth_call`, keeps its id, block and other fields
 * (`from`, `value`, `gas`).
 */
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
