import { pageFetch } from '@/lib/server/http/page-fetch';

/** The gateway as its own pages ask it while they are rendered; its name is looked up nowhere. */
export const OWN_GATEWAY = { baseUrl: 'http://gateway', fetch: pageFetch };
