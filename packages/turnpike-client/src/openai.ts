import { createPrivateFetch, type PrivateFetchOptions } from './private-fetch';
import { sdkFetch } from './sdk-fetch';
import type { Turnpike } from './turnpike';

export { createPrivateFetch, type PrivateFetchOptions };
export type { AcceptableVerdict, Attestation, PolicyAdditions, SignatureCheck } from '@/lib/client/private-chat';

/** What `new OpenAI(…)` is given. */
export interface OpenaiOptions {
  baseURL: string;
  /** The SDK asks for one; the client puts its own credential in its place. */
  apiKey: string;
  fetch: typeof fetch;
}

/**
 * Options of the official OpenAI SDK.
 * @param privately chats are attested and encrypted under the SDK; whatever else is no GET is refused
 * @example new OpenAI(openaiOptions(turnpike))
 */
export function openaiOptions(turnpike: Turnpike, privately?: PrivateFetchOptions): OpenaiOptions {
  return {
    baseURL: `${turnpike.url}/api/v1`,
    apiKey: 'turnpike',
    fetch: privately === undefined ? sdkFetch(turnpike.fetch) : createPrivateFetch(turnpike, privately),
  };
}
