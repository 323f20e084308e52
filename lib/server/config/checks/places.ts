import { isIP } from 'node:net';
import type { Findings } from '../faults';
import { itemsAt } from '../field-path';
import { isHttpUrl } from '../fields';
import { givenName } from '../schema-faults';
import { isLoopback } from './upstreams';
import type { SettingsView } from './view';

/**
 * Reports public URLs that are not origins, an invalid HOST, and a missing public URL if other machines can connect.
 */
export function checkPlaces({ settings, env, variables, isLive }: SettingsView, { faults, warnings }: Findings): void {
  const urls = itemsAt(settings, 'publicUrls');
  const seen = new Map<string, string>();
  urls.forEach((text, index) => {
    if (typeof text !== 'string' || !isHttpUrl(text)) return;
    const path = givenName(['publicUrls', index], variables);
    const { origin, pathname, search, hash, username, password, protocol, hostname } = new URL(text);
    if (username || password)
      faults.set(path, 'contains a user name or password: expected an origin such as https://rpc.example.com');
    else if (pathname !== '/' || search || hash || text.includes('?') || text.includes('#'))
      faults.set(path, `has a path, query or fragment: expected only the origin, ${origin}`);
    const before = seen.get(origin);
    if (before !== undefined) faults.set(path, `is listed twice: ${before} is the same origin. Remove one`);
    seen.set(origin, path);
    if (isLive && protocol === 'http:' && !isLoopback(hostname))
      warnings.set(
        path,
        'is http:, so keys and sign-ins are sent unencrypted, and browsers mark the page as not secure: put TLS in front, and use https:',
      );
  });
  const { HOST: host } = env;
  if (!host) return;
  if (isIP(host) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(host)) {
    faults.set(
      'HOST',
      'expected an address of this machine such as 0.0.0.0, without http:// and without a port (PORT sets the port)',
    );
  } else if (!isLoopback(host) && urls.length === 0) {
    const sentence =
      'is missing, but HOST accepts connections from other machines: set PUBLIC_URL (or publicUrls) to the public origin of the gateway, such as https://rpc.example.com';
    if (isLive) faults.set('publicUrls', sentence);
    else warnings.set('publicUrls', sentence);
  }
}
