import fs from 'node:fs';
import path from 'node:path';

import { startGateway } from './gateway-process.mjs';
import { freePort } from './listen-address.mjs';

/** Operator key of the browser tests' gateway. */
export const testOperatorKey = 'the-operator-of-the-browser-tests';

/**
 * Starts a sandbox gateway for the browser tests, with a free port, its own data folder, and rate limits that no test
 * run reaches.
 *
 * @param {{folder: string, env: Record<string, string | undefined>}} environment
 */
export async function startTestGateway({ folder, env }) {
  const config = path.join(folder, 'turnpike.config.json');
  const many = 1_000_000;
  fs.writeFileSync(
    config,
    JSON.stringify({
      limits: {
        publicRequestsPerMinutePerIp: many,
        requestsPerMinute: many,
        rpcRequestsPerMinute: { standard: many, paid: many, staff: many },
      },
    }),
  );
  return startGateway({
    ...env,
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    TURNPIKE_PROFILE: 'sandbox',
    TURNPIKE_CONFIG: config,
    TURNPIKE_OPERATOR_KEY: testOperatorKey,
    TURNPIKE_DATA_DIR: path.join(folder, 'data'),
  });
}
