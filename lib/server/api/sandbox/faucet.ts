import type { Endpoint, Route } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import { requireKnownHost } from '../../http/known-host';
import type { SandboxAccess } from './sandbox-access';

const BODY_BYTES_MAX = 4_096;

export const sandboxFaucetRoute: Route = { path: '/api/sandbox/faucet', sameOrigin: true };

/** POST /api/sandbox/faucet {"address"}: funds an address on the simulated chains. Only in the sandbox. */
export function sandboxFaucet({
  sandbox,
  publicUrls,
}: {
  sandbox: SandboxAccess;
  publicUrls: readonly string[];
}): Endpoint {
  return {
    ...sandboxFaucetRoute,
    POST: async (call) => {
      requireKnownHost(call, publicUrls);
      requireJson(call);
      const { status, text } = await sandbox.post('/faucet', await call.readBody(BODY_BYTES_MAX));
      return { status, headers: { 'content-type': 'application/json' }, body: text };
    },
  };
}
