import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { TurnpikeError } from '../../src/turnpike-error';
import { onBehalfOf } from './consent';
import type { McpParts } from './mcp-server';
import { jsonResult, told } from './tool-result';

const network = z.string().regex(/^[a-z0-9-]{1,100}$/).describe('Name of a network, such as ethereum-mainnet; turnpike://networks lists them');
/** What changes a chain, by how methods of every family are named. */
const WRITES = /^(eth_send|eth_sign|personal_|sendTransaction|sendRawTransaction|requestAirdrop|starknet_add|author_|broadcast)/i;

/** The method by which each family takes a transaction that was signed. */
function sending(slug: string, signed: string): { method: string; params: unknown[] } {
  if (slug.startsWith('solana')) return { method: 'sendTransaction', params: [signed, { encoding: 'base64' }] };
  if (slug.startsWith('starknet')) return { method: 'starknet_addInvokeTransaction', params: [JSON.parse(signed)] };
  return { method: 'eth_sendRawTransaction', params: [signed] };
}

/** Reads of chains, and transactions that somebody else signed. */
export function addChainTools(server: McpServer, { customer }: McpParts): void {
  const call = (slug: string, method: string, params: unknown, signal: AbortSignal): Promise<CallToolResult> =>
    told(() =>
      onBehalfOf(server.server, async () => {
        const { items, credits, costUsd } = await customer.rpc(slug, { id: 1, method, params: params as unknown[] }, { signal });
        const [item] = items;
        if (item?.error) return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: item.error.message, code: item.error.code, costUsd }) }] };
        return jsonResult({ result: item?.result ?? null, credits, costUsd });
      }),
    );

  server.registerTool(
    'call_chain',
    {
      title: 'Call a blockchain',
      description: 'Sends a JSON-RPC request that reads a chain, such as eth_getBalance or getSlot. Charged by the call.',
      inputSchema: { network, method: z.string().min(1).max(100), params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).default([]) },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ network: slug, method, params }, { signal }) => {
      if (WRITES.test(method)) return told(() => Promise.reject(new TurnpikeError('OPTION_INVALID', { message: `${method} does not read.`, remedy: 'Use send_transaction for a transaction that is signed.' })));
      return call(slug, method, params, signal);
    },
  );

  server.registerTool(
    'send_transaction',
    {
      title: 'Send a signed transaction',
      description: 'Sends a transaction that was signed elsewhere: hexadecimal on EVM chains, Base64 on Solana, JSON on Starknet. It cannot be taken back.',
      inputSchema: { network, signedTransaction: z.string().min(1).max(1_000_000) },
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    ({ network: slug, signedTransaction }, { signal }) => {
      const { method, params } = sendingOrRefusal(slug, signedTransaction);
      return method === null ? told(() => Promise.reject(params)) : call(slug, method, params, signal);
    },
  );
}

function sendingOrRefusal(slug: string, signed: string): { method: string; params: unknown[] } | { method: null; params: TurnpikeError } {
  try {
    return sending(slug, signed);
  } catch {
    return { method: null, params: new TurnpikeError('OPTION_INVALID', { message: 'This is no transaction as JSON.' }) };
  }
}
