import { apiError } from '@/lib/protocol/errors';
import type { Endpoint } from '../http/endpoint';

const PATHS = [
  '/api/v1/embeddings',
  '/api/v1/characters',
  '/api/v1/characters/{slug}',
  '/api/v1/image/{operation}',
  '/api/v1/images/{operation}',
];

const PATH_CHARACTERS_MAX = 100;

/** Endpoints that the specification names without a shape: they are not offered, and say so. */
export const notOffered: readonly Endpoint[] = PATHS.map((path) => ({
  path,
  ANY: (call) => {
    throw apiError('NOT_OFFERED', { message: `${call.path.slice(0, PATH_CHARACTERS_MAX)} is not offered by this gateway.` });
  },
}));
