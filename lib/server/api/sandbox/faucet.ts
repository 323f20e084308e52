import type { Endpoint } from '../../http/endpoint';
import { requireJson } from '../../http/json-body';
import { requireKnownHost } from '../../http/known-host';

const BODY_BYTES_MAX = 4_096;

/** POST /api/sandbox/faucet {"address"}: funds an address on the stand-in chains. Absent in live. */
export const sandboxFaucet: Endpoint = {
  path: '/api/sandbox/faucet',
  sameOrigin: true,
  POST: async (call, { sandbox, config }) => {
    requireKnownHost(call, config);
    requireJson(call);
    const { status, text } = await sandbox!.post('/faucet', await call.readBody(BODY_BYTES_MAX));
    return { status, headers: { 'content-type': 'application/json' }, body: text };
  },
};
