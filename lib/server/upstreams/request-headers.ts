import { version } from '@/package.json';

/**
 * Default headers of requests to upstreams. Some providers require a User-Agent, and answers must not be compressed.
 */
export const REQUEST_HEADERS = { 'user-agent': `turnpike/${version}`, 'accept-encoding': 'identity' } as const;
