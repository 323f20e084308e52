import { DEFAULT_PAGE_BRAND } from '@/lib/protocol/brand';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiError, type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { balanceError } from '@/lib/server/billing/refusal-error';
import { memorySchema } from '@/lib/server/config/memory';
import { HeldMemory } from '@/lib/server/http/held-memory/held-memory';
import { Drain } from '@/lib/server/http/drain-server';
import type { Endpoint } from '@/lib/server/http/endpoint';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { Router } from '@/lib/server/http/router';

const log = { error: console.error, warn: console.error } as never;

/**
 * Starts a server that answers `/{code}` and paths below it with the product's error of that code. Shows how client
 * libraries report the gateway's errors.
 */
export async function startErrorGateway(): Promise<{ url: string; close: () => void }> {
  const endpoints: Endpoint[] = (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) =>
    [`/${code}`, `/${code}/{a}`, `/${code}/{a}/{b}`].map((path) => ({
      path,
      ANY: () => {
        throw code === 'INSUFFICIENT_BALANCE' ? balanceError(0, 14_000) : apiError(code);
      },
    })),
  );
  const api = {
    endpoints,
    router: new Router(endpoints),
    log,
    observer: null,
    drain: new Drain(),
    memory: new HeldMemory(memorySchema.parse({})),
    profileHeader: null,
    brand: DEFAULT_PAGE_BRAND,
    trustProxyHops: 0,
    hasWalletConnect: false,
  };
  const server = createServer(nodeListener(api));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
