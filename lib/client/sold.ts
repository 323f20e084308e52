import type { Sold } from '@/lib/protocol/api-keys/key-scope';

/** Apart from the keys, so that pages that read only names load no schemas of keys. */
export const SOLD = [
  'rpc',
  'chat',
  'speech',
  'transcriptions',
  'embeddings',
  'images',
  'video',
] as const satisfies readonly Sold[];
