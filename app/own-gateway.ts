import { pageFetch } from '@/lib/server/http/page-fetch';

/**
 * Gateway for server-side rendering of the console's pages. `pageFetch` calls it in this process, so its host name is
 * never resolved.
 */
export const OWN_GATEWAY = { baseUrl: 'http://gateway', fetch: pageFetch };
