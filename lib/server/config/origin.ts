import type { Config } from './load';

const LOCAL_HOSTS = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** Returns the gateway's origin: as configured, else from host and port. */
export function originOf({ publicUrls, host, port }: Pick<Config, 'publicUrls' | 'host' | 'port'>): string {
  const [publicUrl] = publicUrls;
  if (publicUrl) return publicUrl.replace(/\/$/, '');
  if (LOCAL_HOSTS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
