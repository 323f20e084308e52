import { apiError } from '@/lib/protocol/errors';
import type { Endpoint } from '../http/endpoint';

const CHAT = 'Chats are at POST /api/v1/chat/completions.';

/** Paths that the gateway does not offer, each with a sentence about the alternative; null without an alternative. */
const PATHS: Readonly<Record<string, string | null>> = {
  '/api/v1/characters': null,
  '/api/v1/characters/{slug}': null,
  '/api/v1/characters/{slug}/{part}': null,
  '/api/v1/image/{operation}': null,
  '/api/v1/images/{operation}': null,
  '/api/v1/responses/{id}':
    'The gateway stores no answers ("store" is false). Send the whole conversation to POST /api/v1/responses.',
  '/api/v1/completions': CHAT,
  '/api/v1/audio/translations': 'Transcripts in the language of the speech are at POST /api/v1/audio/transcriptions.',
};

const PATH_CHARACTERS_MAX = 100;

/** Endpoints that other services offer, or that the specification mentions but does not define. */
export const notOffered: readonly Endpoint[] = Object.entries(PATHS).map(([path, instead]) => ({
  path,
  ANY: (call) => {
    const message = `${call.path.slice(0, PATH_CHARACTERS_MAX)} is not offered by this gateway.`;
    throw apiError('NOT_OFFERED', { message: instead === null ? message : `${message} ${instead}` });
  },
}));
