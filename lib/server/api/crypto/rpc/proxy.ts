import { z } from 'zod';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { BATCH_ITEMS_MAX, rpcRequestSchema } from '@/lib/protocol/jsonrpc/request';
import { rpcResponseSchema } from '@/lib/protocol/jsonrpc/messages';
import type { Operation } from '../../../http/operation';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../../openapi/paid-calls';
import { PAID_REFUSALS, RATE_LIMIT_HEADERS } from '../../openapi/refusals';
import type { PaidCalls } from '../../../billing/paid-calls';
import type { Endpoint, Route } from '../../../http/endpoint';
import { rpcService, type RpcServiceSettings } from '../../../rpc/rpc-service';

const rpcProxyDocs: Operation = {
  id: 'rpc',
  tag: 'RPC',
  sale: {
    product: 'rpc',
    mediaType: 'application/json',
    keywords: ['rpc', 'blockchain', 'ethereum', 'solana', 'node'],
    price: 'By the call: base credits of the network × tier of the method × price of a credit.',
  },
  summary: 'Forward a JSON-RPC 2.0 request, or a batch of up to 100',
  description:
    'Credits per call are the base credits of the chain (20, or 30 for zkSync Era and Solana) times the tier of the method (1, 2 or 4). ' +
    'An item that returns a JSON-RPC error costs 5 credits; the HTTP status stays 200. ' +
    'If the operator requires several nodes to agree on a method, a successful call costs a multiple, by default the number of nodes. If the nodes disagree, the item is error -32090, which names the nodes and the difference.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [
    {
      name: 'network',
      in: 'path',
      required: true,
      description: 'A network slug; GET /crypto/rpc/networks has the live list',
      schema: z.string(),
      example: 'ethereum-mainnet',
    },
    IDEMPOTENCY_KEY_PARAMETER,
  ],
  body: {
    schema: z.union([rpcRequestSchema, z.array(rpcRequestSchema).min(1).max(BATCH_ITEMS_MAX)]).meta({ id: 'RpcCall' }),
    examples: {
      single: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
      batch: [
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'eth_getBalance',
          params: ['0x0000000000000000000000000000000000000000', 'latest'],
        },
      ],
    },
  },
  responses: {
    200: {
      description: 'A response item, or an array of them in the order of the request',
      schema: z.union([rpcResponseSchema, z.array(rpcResponseSchema)]).meta({ id: 'RpcAnswer' }),
      examples: {
        single: { jsonrpc: '2.0', id: 1, result: '0x14a2f3b' },
        batch: [
          { jsonrpc: '2.0', id: 1, result: '0x1' },
          {
            jsonrpc: '2.0',
            id: 2,
            error: {
              code: -32602,
              message: 'invalid argument 0: hex string has length 38, want 40 for common.Address',
            },
          },
        ],
      },
      headers: {
        'X-Service-RPC-Credits': 'Credits charged; for a batch the sum over its items',
        'X-Service-RPC-Cost-USD': 'Cost in USD to 8 decimal places',
        'X-Service-RPC-Agreement':
          'Nodes that gave this answer of the nodes asked, such as 2/3; for a batch, the lowest of its items. Only if the operator requires several nodes to agree on the method',
        'X-Balance-Remaining':
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; only with a wallet sign-in',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    400: {
      description:
        'Unsupported network or method, invalid body, or an Idempotency-Key that was used with another request or whose answer was too large to store',
      schema: refusedRequestSchema,
      codes: ['UNSUPPORTED_NETWORK', 'UNSUPPORTED_METHOD', 'IDEMPOTENCY_KEY_REUSED'],
    },
    ...PAID_REFUSALS,
    429: {
      description:
        'The per-minute request cap, the rolling 24-hour credit cap, too many Idempotency-Keys within 24 hours, or a collision of concurrent calls',
      schema: standardErrorSchema,
      codes: ['MINUTE_CAP', 'CREDIT_CAP', 'CONCURRENT_CALL'],
      headers: RATE_LIMIT_HEADERS,
    },
    500: {
      description: 'The upstream failed or is not configured; nothing is charged',
      schema: standardErrorSchema,
      codes: ['UPSTREAM_FAILED', 'UPSTREAM_NOT_CONFIGURED'],
    },
    503: {
      description:
        'Too many calls to the network are running (UPSTREAM_BUSY), or the gateway holds too many large answers (OVERLOADED), or cannot reach its database, or cannot reach the chain of a contract wallet. The error says whether anything was charged',
      schema: standardErrorSchema,
      codes: ['UPSTREAM_BUSY', 'OVERLOADED', 'STORE_UNAVAILABLE', 'STORE_FULL'],
      headers: {
        'Retry-After': 'Seconds to wait, if too many calls are running or the gateway holds too many large answers',
      },
    },
  },
};

export const rpcProxyRoute: Route = { path: '/api/v1/crypto/rpc/{network}', docs: { POST: rpcProxyDocs } };

/** POST /crypto/rpc/{network}: the charged JSON-RPC proxy. */
export function rpcProxy({ paidCalls, ...settings }: RpcServiceSettings & { paidCalls: PaidCalls }): Endpoint {
  const service = rpcService(settings);
  return { ...rpcProxyRoute, POST: (call) => paidCalls.serve(call, service) };
}
