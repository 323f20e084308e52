import { pageFetch } from '@/lib/server/http/page-fetch';

/**
 * Gateway for server-side rendering of the console's pages. `pageFetch` calls the API in this process, so the host name
 * is never resolved.
 */
export const OWN_GATEWAY = { baseUrl: 'http://gateway', fetch: pageFetch };
