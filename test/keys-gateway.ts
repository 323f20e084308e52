import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import type { Gateway } from '@/lib/server/create-gateway';
import { insertApiKey, newApiKeySecret, type NewApiKey } from '@/lib/server/db/api-keys';
import { creditWithin } from '@/lib/server/db/credits';
import { ensureWalletAccount } from '@/lib/server/db/wallets';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { gatewayOfFile, serve } from './test-gateway';

export const USD = 1_000_000_000;
const wallet = privateKeyToAccount(`0x${'33'.repeat(32)}`);
export const KEY = {
  type: 'INFERENCE',
  description: 'bot',
  expiresAt: null,
  limitPeriod: 'EPOCH',
  limitUsdNano: null,
  limitDiemNano: null,
} as const;

export function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

interface Answer {
  status: number;
  json: Record<string, unknown>;
}

export interface MadeKey {
  id: number;
  secret: string;
}

/** Request whose head has arrived but whose body has not. */
export interface HeldRequest {
  /** Sends the body. */
  finish(): Promise<Answer>;
}

export interface KeysGateway {
  origin: string;
  gateway: Gateway;
  accountId: number;
  key: MadeKey;
  admin: MadeKey;
  /** Creates another key of the account. */
  made(terms?: Partial<NewApiKey>): Promise<MadeKey>;
  /** Makes an RPC call with the key. */
  call(network?: string): Promise<Answer>;
  patch(body: unknown, by?: Record<string, string>, id?: number): Promise<Answer>;
  revoke(id: number, by?: Record<string, string>): Promise<Answer>;
  /** Sends a request without the end of its body, and waits until the gateway has identified the caller. */
  hold(method: string, path: string, by: Record<string, string>, body: unknown): Promise<HeldRequest>;
  list(by?: Record<string, string>): Promise<Record<string, unknown>[]>;
  signIn(): Promise<Record<string, string>>;
  prepay(amountUsd: number): Promise<void>;
}

/**
 * Opens a gateway with two networks, the account of a wallet and two keys of this account. A call costs 20 credits of
 * 0.00005 USD each, which is 0.001 USD.
 */
export async function openKeysGateway(env: Record<string, string>): Promise<KeysGateway> {
  const upstream = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const chainId = request.url === '/polygon' ? '0x89' : '0x2105';
    request.on('end', () =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(text) as { id: unknown }).id, result: chainId })),
    );
  });
  const networks = {
    'base-mainnet': { upstreams: [upstream.origin] },
    'polygon-mainnet': { upstreams: [`${upstream.origin}/polygon`] },
  };
  const settings = {
    pricePerCreditUsd: '0.00005',
    networks,
    rpc: { healthChecks: { intervalMs: 0 } },
    webhooks: { allowPrivateAddresses: true },
    publicUrls: ['http://gateway.test'],
  };
  const gateway = await gatewayOfFile(settings, { env });
  const { origin } = await serve(nodeListener(gateway));
  const accountId = await ensureWalletAccount(gateway.db, wallet.address.toLowerCase());
  const made = async (terms: Partial<NewApiKey> = {}): Promise<MadeKey> => {
    const secret = newApiKeySecret();
    return { secret, id: await insertApiKey(gateway.db, secret, { ...KEY, accountId, ...terms }) };
  };
  const [key, admin] = [await made(), await made({ type: 'ADMIN' })];
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  return {
    gateway,
    origin,
    accountId,
    key,
    admin,
    made,
    call: (network = 'base-mainnet') =>
      ask('POST', `/api/v1/crypto/rpc/${network}`, bearer(key.secret), {
        method: 'eth_getBalance',
        params: [wallet.address, 'latest'],
        id: 1,
      }),
    patch: (body, by = bearer(admin.secret), id = key.id) => ask('PATCH', `/api/v1/api_keys?id=${id}`, by, body),
    revoke: (id, by = bearer(admin.secret)) => ask('DELETE', `/api/v1/api_keys?id=${id}`, by),
    hold: (method, path, by, body) => holdRequest(method, origin + path, by, JSON.stringify(body)),
    list: async (by = bearer(admin.secret)) =>
      (await ask('GET', '/api/v1/api_keys', by)).json.data as Record<string, unknown>[],
    signIn: async () => {
      const issuedAt = new Date();
      const message = createSiweMessage({
        address: wallet.address,
        domain: 'gateway.test',
        uri: 'http://gateway.test',
        version: '1',
        chainId: 8453,
        nonce: '0123456789abcdef',
        issuedAt,
        expirationTime: new Date(issuedAt.getTime() + 600_000),
        statement: 'Sign in to Turnpike',
      });
      const payload = {
        address: wallet.address,
        message,
        signature: await wallet.signMessage({ message }),
        timestamp: issuedAt.getTime(),
        chainId: 8453,
      };
      return { 'sign-in-with-x': Buffer.from(JSON.stringify(payload)).toString('base64') };
    },
    prepay: async (amountUsd) => {
      await gateway.db.transaction().execute((within) =>
        creditWithin(within, {
          accountId,
          pot: 'x402',
          kind: 'TOP_UP',
          amountNanoUsd: amountUsd * USD,
          detail: '',
          requestId: `top-up ${amountUsd}`,
        }),
      );
    },
  };
}

async function holdRequest(
  method: string,
  url: string,
  by: Record<string, string>,
  body: string,
): Promise<HeldRequest> {
  const request = httpRequest(url, {
    method,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...by },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as Record<string, unknown> }),
        );
    });
  });
  request.write(body.slice(0, 1));
  await sleep(100);
  return {
    finish: () => {
      request.end(body.slice(1));
      return answer;
    },
  };
}
