import type { Sold } from '@/lib/protocol/api-keys/key-scope';

/** What the gateway sells. Apart from the API keys, so that a page that only reads names loads no key schemas. */
export const SOLD = [
  'rpc',
  'chat',
  'speech',
  'transcriptions',
  'embeddings',
  'images',
  'video',
] as const satisfies readonly Sold[];
