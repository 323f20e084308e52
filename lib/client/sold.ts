import type { Sold } from '@/lib/protocol/api-keys/key-scope';

/** In a module of its own, so that pages that need only these names do not load the API key schemas. */
export const SOLD = [
  'rpc',
  'chat',
  'speech',
  'transcriptions',
  'embeddings',
  'images',
  'video',
] as const satisfies readonly Sold[];
