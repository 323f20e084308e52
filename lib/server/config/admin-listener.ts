import type { Environment } from './environment';
import type { Faults } from './faults';
import { Secret } from './secret';

const PORT_MAX = 65_535;
const TOKEN_LENGTH_MIN = 16;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

/** Separate listener that serves metrics. */
export interface AdminListenerConfig {
  port: number;
  host: string;
  token: Secret | null;
}

/**
 * Returns the listener of ADMIN_PORT; null without the variable. The listener needs a token if other machines can reach
 * it.
 */
export function adminListenerOf(
  { ADMIN_PORT: text, ADMIN_HOST: host = '127.0.0.1', ADMIN_TOKEN: token }: Environment,
  faults: Faults,
): AdminListenerConfig | null {
  if (!text) return null;
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > PORT_MAX)
    faults.set('ADMIN_PORT', `expected a number from 0 to ${PORT_MAX}, got ${JSON.stringify(text.slice(0, 20))}`);
  if (token && token.length < TOKEN_LENGTH_MIN)
    faults.set('ADMIN_TOKEN', `expected at least ${TOKEN_LENGTH_MIN} characters, got ${token.length}`);
  else if (token && /\s/.test(token)) faults.set('ADMIN_TOKEN', 'expected a token without spaces');
  if (!token && !LOOPBACK.test(host))
    faults.set(
      'ADMIN_TOKEN',
      `expected a token of at least ${TOKEN_LENGTH_MIN} characters, because ADMIN_HOST accepts connections from other machines`,
    );
  return { port, host, token: token ? new Secret(token) : null };
}
