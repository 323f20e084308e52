import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { Gateway } from '@/lib/server/create-gateway';
import { nodeListener } from '@/lib/server/http/node-adapter';
import type { Backend } from '@/lib/server/upstreams/nodes/backend';
import { createAccount } from '@/lib/server/db/accounts';
import { insertApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { grantWithin } from '@/lib/server/db/credits';
import type { Database } from '@/lib/server/db/schema';
import { tempFolder } from './temp-folder';
import { gatewayOfFile, serve } from './test-gateway';

export interface RpcAnswered {
  status: number;
  text: string;
  /** X-Service-RPC-Credits; null if absent. */
  credits: number | null;
  /** X-Service-RPC-Agreement; null if absent. */
  agreement: string | null;
  elapsedMs: number;
}

/** Gateway behind node:http over a test's upstreams. One caller has a balance. */
export interface RpcGateway {
  gateway: Gateway;
  backend: Backend;
  /** The network's URL and the caller's headers. */
  url: string;
  headers: { authorization: string };
  ask(body: unknown, signal?: AbortSignal): Promise<RpcAnswered>;
  /** Returns the credits of each charge in the ledger. */
  charges(): number[];
}

export const NETWORK = 'ethereum-mainnet';

/**
 * Opens a gateway with one network over these upstreams. By default without health and chain checks, so that nodes get
 * only the test's calls.
 */
export async function rpcGateway(
  upstreams: readonly string[],
  rpc: Record<string, unknown> = {},
  network = NETWORK,
  settingsOfNetwork: Record<string, unknown> = { chainIdentity: false },
  log?: Logger,
): Promise<RpcGateway> {
  const dataDir = tempFolder();
  const settings = {
    networks: { [network]: { upstreams, ...settingsOfNetwork } },
    rpc: { healthChecks: { intervalMs: 0 }, ...rpc },
    limits: { rpcRequestsPerMinute: { staff: null } },
  };
  const gateway = await gatewayOfFile(settings, { folder: dataDir, ...(log && { log }) });
  const key = await createCaller(gateway.db);
  const { origin } = await serve(nodeListener(gateway));
  const url = `${origin}/api/v1/crypto/rpc/${network}`;
  const headers = { authorization: `Bearer ${key}` };
  return {
    gateway,
    url,
    headers,
    backend: gateway.networks.find(network)?.backend as Backend,
    charges: () => chargesOf(dataDir),
    ask: async (body, signal) => {
      const startedAt = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
      const text = await response.text();
      const credits = response.headers.get('x-service-rpc-credits');
      return {
        status: response.status,
        text,
        credits: credits === null ? null : Number(credits),
        agreement: response.headers.get('x-service-rpc-agreement'),
        elapsedMs: performance.now() - startedAt,
      };
    },
  };
}

async function createCaller(db: Database): Promise<string> {
  const accountId = await createAccount(db, { label: 'test', tier: 'staff' });
  await grantWithin(db, { accountId, pot: 'usd', amountNanoUsd: 1_000_000_000, detail: 'test' });
  const secret = newApiKeySecret();
  await insertApiKey(db, secret, {
    accountId,
    type: 'INFERENCE',
    description: '',
    expiresAt: null,
    limitPeriod: 'LIFETIME',
    limitUsdNano: null,
    limitDiemNano: null,
  });
  return secret;
}

function chargesOf(dataDir: string): number[] {
  const database = new DatabaseSync(join(dataDir, 'turnpike.db'));
  try {
    const rows = database.prepare("select units from ledger where kind = 'CHARGE' order by id").all() as {
      units: number;
    }[];
    return rows.map(({ units }) => units);
  } finally {
    database.close();
  }
}
