import { version } from '@/package.json';

/**
 * What a request to an upstream says unless its configured headers say otherwise: some providers refuse requests that
 * name no client, and no answer is to be compressed.
 */
export const REQUEST_HEADERS = { 'user-agent': `turnpike/${version}`, 'accept-encoding': 'identity' } as const;
