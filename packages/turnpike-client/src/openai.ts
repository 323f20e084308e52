import { createPrivateFetch, type PrivateFetchOptions } from './private-fetch';
import { sdkFetch } from './sdk-fetch';
import type { Turnpike } from './turnpike';

export { createPrivateFetch, type PrivateFetchOptions };
export type { AcceptableVerdict, Attestation, PolicyAdditions, SignatureCheck } from '@/lib/client/private-chat';

export interface OpenaiOptions {
  baseURL: string;
  /** Placeholder that the SDK requires. `fetch` replaces it with the Turnpike account's credential. */
  apiKey: string;
  fetch: typeof fetch;
}

/**
 * Returns options for the official OpenAI SDK.
 *
 * @param privately if present, `fetch` encrypts chats and embeddings to enclaves, and other requests must be GETs
 * @example new OpenAI(openaiOptions(turnpike))
 */
export function openaiOptions(turnpike: Turnpike, privately?: PrivateFetchOptions): OpenaiOptions {
  return {
    baseURL: `${turnpike.url}/api/v1`,
    apiKey: 'turnpike',
    fetch: privately === undefined ? sdkFetch(turnpike.fetch) : createPrivateFetch(turnpike, privately),
  };
}
