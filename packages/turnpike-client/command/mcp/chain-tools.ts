import { isRecord } from '@/lib/protocol/json-record';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { parseBigIntegers } from '@/lib/client/exact-json';
import type { RpcAnswer } from '@/lib/client/rpc-answer';
import { CHAIN_KINDS, type ChainKind } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { TurnpikeError } from '../../src/turnpike-error';
import { type CallExtra, jsonResult, type ToolParts } from './tool-call';
import { jsonText } from '../printable';

const PARAMS_MAX = 1_000;
const TRANSACTION_LENGTH_MAX = 1_000_000;
/** Maximum length of a result for a model. A block with its transactions is about 200 KB long. */
const RESULT_LENGTH_MAX = 1_000_000;
/**
 * Matches names of methods that probably write. Needed for methods that an operator has added, because no table
 * describes them.
 */
const LOOKS_LIKE_WRITING = /send|submit|sign|cancel|broadcast|airdrop|_add/i;

const network = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,99}$/,
    'A network is named in lower case, such as ethereum-mainnet; turnpike://networks lists them',
  )
  .describe('Name of a network, such as ethereum-mainnet; turnpike://networks lists them');

export function addChainTools(server: McpServer, { customer, answer }: ToolParts): void {
  const call = async (slug: string, method: string, params: unknown, { signal }: CallExtra): Promise<CallToolResult> =>
    chainResult(await customer.rpc(slug, { id: 1, method, params: params as unknown[] }, { signal }));

  server.registerTool(
    'call_chain',
    {
      title: 'Call a blockchain',
      description:
        'Sends a JSON-RPC request that reads a chain, such as eth_getBalance or getSlot. Charged by the call. Integers beyond 2^53 come back as decimal strings.',
      inputSchema: {
        network,
        method: z.string().min(1).max(100).describe('JSON-RPC method; the ones that write are refused'),
        params: z
          .union([z.array(z.unknown()).max(PARAMS_MAX), z.record(z.string(), z.unknown())])
          .default([])
          .describe('Its parameters, by position or by name'),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ network: slug, method, params }, extra) =>
      answer(extra, () => {
        if (writes(method))
          throw new TurnpikeError('OPTION_INVALID', {
            message: `${method} is not a read-only method.`,
            remedy: 'Nothing was sent. Use send_transaction for a signed transaction.',
          });
        refuseRounded(params);
        return call(slug, method, params, extra);
      }),
  );

  server.registerTool(
    'send_transaction',
    {
      title: 'Send a signed transaction',
      description: 'Sends a transaction that was signed elsewhere. It cannot be undone.',
      inputSchema: {
        network,
        signedTransaction: z
          .string()
          .min(1)
          .max(TRANSACTION_LENGTH_MAX)
          .describe('Hexadecimal with 0x on EVM chains, Base64 on Solana, the invoke transaction as JSON on Starknet'),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    ({ network: slug, signedTransaction }, extra) =>
      answer(extra, () => {
        const { method, params } = submission(slug, signedTransaction.trim());
        return call(slug, method, params, extra);
      }),
  );
}

/**
 * Refuses numbers that the client's JSON parser has rounded, because the request would have another meaning.
 *
 * @throws {TurnpikeError} OPTION_INVALID
 */
function refuseRounded(params: unknown): void {
  JSON.stringify(params, (_, each: unknown) => {
    if (typeof each !== 'number' || (Number.isFinite(each) && (!Number.isInteger(each) || Number.isSafeInteger(each))))
      return each;
    throw new TurnpikeError('OPTION_INVALID', {
      message: `The parameter ${each} is a number beyond 2^53, which JSON has rounded.`,
      remedy: 'Nothing was sent. Write an address in digits, or a long integer, as a JSON string.',
    });
  });
}

function writes(method: string): boolean {
  const found = lookUpMethod(method);
  return isRefusal(found) ? found.reason === 'unsupported' && LOOKS_LIKE_WRITING.test(method) : found.sends;
}

/**
 * Returns the JSON-RPC method and params that submit a signed transaction.
 *
 * @throws {TurnpikeError} OPTION_INVALID for an invalid transaction
 */
function submission(slug: string, signed: string): { method: string; params: unknown[] } {
  switch (kindOf(slug)) {
    case 'evm':
      if (!/^0x([0-9a-f]{2})+$/i.test(signed)) throw noTransaction('hexadecimal with 0x, as EVM chains require');
      return { method: 'eth_sendRawTransaction', params: [signed] };
    case 'solana':
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signed)) throw noTransaction('Base64, as Solana requires');
      return { method: 'sendTransaction', params: [signed, { encoding: 'base64' }] };
    case 'starknet':
      return { method: 'starknet_addInvokeTransaction', params: [starknetTransaction(signed)] };
  }
}

function kindOf(slug: string): ChainKind {
  return CHAIN_KINDS.find((kind) => slug.startsWith(`${kind}-`)) ?? 'evm';
}

function starknetTransaction(signed: string): object {
  try {
    const value: unknown = JSON.parse(signed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // For invalid JSON, the line below throws.
  }
  throw noTransaction('a JSON object, as Starknet requires');
}

function noTransaction(form: string): TurnpikeError {
  return new TurnpikeError('OPTION_INVALID', {
    message: `The transaction is not ${form}.`,
    remedy: 'Nothing was sent. Pass the whole signed transaction in this form.',
  });
}

function chainResult({ items: [item], bodyText, credits, costUsd, replayed }: RpcAnswer): CallToolResult {
  const cost = { credits, costUsd, ...(replayed && { replayed }) };
  if (item?.error)
    return {
      isError: true,
      content: [
        {
          type: 'text',
          text: jsonText({
            error: item.error.message,
            code: item.error.code,
            ...(item.error.data !== undefined && { data: readable(item.error.data) }),
            ...cost,
          }),
        },
      ],
    };
  if (bodyText.length > RESULT_LENGTH_MAX)
    throw new TurnpikeError('ANSWER_MALFORMED', {
      message: `The answer has ${bodyText.length} characters, too many for a model.`,
      remedy: `It was charged (${costUsd ?? '?'} USD). Ask for less: a narrower range, fewer accounts, or a block without its transactions.`,
      detail: cost,
    });
  const answer = readable(parseBigIntegers(bodyText));
  return jsonResult({ result: isRecord(answer) ? (answer['result'] ?? null) : null, ...cost });
}

function readable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each !== 'bigint' ? each : Number.isSafeInteger(Number(each)) ? Number(each) : each.toString(),
    ),
  ) as unknown;
}
