import { z } from 'zod';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { AUDIO_FORMAT_INFO, AUDIO_FORMATS } from '@/lib/protocol/speech/audio-format';
import { SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { speechRequestSchema } from '@/lib/protocol/speech/speech-request';
import type { Operation } from '../../http/operation';
import { MODEL_REFUSALS } from '../openapi/refusals';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Speech } from '../../speech/speech';
import { speechService } from '../../speech/speech-service';

const speechDocs: Operation = {
  id: 'speak',
  tag: 'Speech',
  sale: {
    product: 'speech',
    mediaType: 'audio/mpeg',
    keywords: ['speech', 'text-to-speech', 'tts', 'audio', 'voice'],
    price: 'By the characters (code points) of the text, at the price of the model in GET /models?type=tts.',
  },
  summary: 'Turn text into audio',
  description:
    `Charged by the characters (code points) spoken, at the price in GET /models?type=tts, which also lists voices and formats. The models are ${SPEECH_MODEL_IDS.join(', ')}. ` +
    `The format sets the Content-Type: ${AUDIO_FORMATS.map((format) => `${format} is ${AUDIO_FORMAT_INFO[format].contentType}`).join(', ')}; pcm is 24 kHz, 16 bits, little-endian, mono. ` +
    'With "streaming": true the audio comes sentence by sentence as one valid stream. A failed stream ends early, and the sentences before are charged. A failed whole file is not charged.',
  credentials: ['apiKey', 'signInWithX'],
  body: {
    schema: speechRequestSchema
      .extend({ model: z.enum(SPEECH_MODEL_IDS).nullish().describe('tts-kokoro by default') })
      .meta({ id: 'SpeechRequest' }),
    examples: {
      plain: { input: 'The gateway can speak, too.', model: 'tts-kokoro', voice: 'af_sky', response_format: 'mp3' },
    },
  },
  responses: {
    200: {
      description: 'The audio',
      media: AUDIO_FORMATS.map((format) => ({ type: AUDIO_FORMAT_INFO[format].contentType })),
      headers: {
        'X-Service-Speech-Engine': 'Engine that spoke the text',
        'X-Service-Speech-Characters': 'Characters charged; on a stream, the maximum',
        'X-Service-Speech-Cost-USD': 'Cost of these characters in USD, to 8 decimal places',
        'X-Balance-Remaining':
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; on a stream, without the held amount. Only with a wallet sign-in',
      },
    },
    400: {
      description:
        'The request is not valid, the model has no such voice or format (INVALID_VOICE, UNSUPPORTED_FORMAT), or refuses the text',
      schema: refusedRequestSchema,
      codes: ['INVALID_VOICE', 'UNSUPPORTED_FORMAT'],
    },
    ...MODEL_REFUSALS,
    404: {
      description: 'There is no such model (MODEL_NOT_FOUND)',
      schema: standardErrorSchema,
      codes: ['MODEL_NOT_FOUND'],
    },
    502: {
      description: "The model's answer is not valid audio",
      schema: standardErrorSchema,
      codes: ['MODEL_ANSWER_INVALID'],
    },
    503: {
      description:
        'The model is unavailable or busy, too many speech requests are running (SPEECH_BUSY), or the gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['MODEL_UNAVAILABLE', 'SPEECH_BUSY', 'OVERLOADED'],
      headers: { 'Retry-After': 'Seconds to wait, if the model or the gateway is busy' },
    },
    504: { description: 'The model took too long', schema: standardErrorSchema, codes: ['MODEL_TIMEOUT'] },
  },
};

export const speechRoute: Route = { path: '/api/v1/audio/speech', docs: { POST: speechDocs } };

/**
 * POST /audio/speech: converts text to audio. Streams the audio sentence by sentence on request. Charges by the
 * character.
 */
export function audioSpeech({ paidCalls, speech }: { paidCalls: PaidCalls; speech: Speech }): Endpoint {
  const service = speechService(speech);
  return { ...speechRoute, POST: (call) => paidCalls.serve(call, service) };
}
