import { apiError } from '@/lib/protocol/errors';
import type { Endpoint } from '../http/endpoint';

const CHAT = 'Chats are at POST /api/v1/chat/completions.';

/** What other services have at these paths, and what is here in their place. */
const PATHS: Readonly<Record<string, string | null>> = {
  '/api/v1/embeddings': null,
  '/api/v1/characters': null,
  '/api/v1/characters/{slug}': null,
  '/api/v1/image/{operation}': null,
  '/api/v1/images/{operation}': null,
  '/api/v1/responses/{id}':
    'Answers are not stored ("store" is false): send the whole conversation to POST /api/v1/responses.',
  '/api/v1/completions': CHAT,
  '/api/v1/audio/transcriptions': 'Text becomes speech at POST /api/v1/audio/speech; speech does not become text.',
  '/api/v1/audio/translations': 'Text becomes speech at POST /api/v1/audio/speech; speech does not become text.',
};

const PATH_CHARACTERS_MAX = 100;

/** Endpoints that the specification names without a shape, or that clients of such services know: they are not offered, and say what is. */
export const notOffered: readonly Endpoint[] = Object.entries(PATHS).map(([path, instead]) => ({
  path,
  ANY: (call) => {
    const message = `${call.path.slice(0, PATH_CHARACTERS_MAX)} is not offered by this gateway.`;
    throw apiError('NOT_OFFERED', { message: instead === null ? message : `${message} ${instead}` });
  },
}));
