import { z } from 'zod';
import { refusedRequestSchema, standardErrorSchema } from '@/lib/protocol/error-bodies';
import { transcriptionFieldsSchema, transcriptSchema } from '@/lib/protocol/transcriptions/transcription-request';
import type { PaidCalls } from '../../billing/paid-calls';
import type { Endpoint, Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';
import { ReceivedAudio } from '../../transcriptions/received-audio';
import type { Transcriptions } from '../../transcriptions/transcriptions';
import { transcriptionsService } from '../../transcriptions/transcriptions-service';
import { IDEMPOTENCY_KEY_PARAMETER, KEPT_ANSWER_HEADERS } from '../openapi/paid-calls';
import { WHOLE_ANSWER_REFUSALS } from '../openapi/refusals';

const docs: Operation = {
  id: 'transcribe',
  tag: 'Transcriptions',
  sale: {
    product: 'transcriptions',
    mediaType: 'application/json',
    keywords: ['transcription', 'speech-to-text', 'asr', 'audio', 'openai'],
    price: 'By the second of audio, to the millisecond, at the price of the model in GET /models?type=asr.',
  },
  summary: 'Turn audio into text',
  description:
    'In the form of the OpenAI transcriptions API. The gateway measures the audio by its frames and samples, and ignores the length that the file claims. It accepts WAV (PCM), MP3, FLAC, Ogg and WebM with Opus, and MP4 with AAC. It keeps the file until the answer. A failed request is not charged.',
  credentials: ['apiKey', 'signInWithX'],
  parameters: [IDEMPOTENCY_KEY_PARAMETER],
  body: {
    type: 'multipart/form-data',
    schema: z
      .object({
        file: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('The audio file'),
        ...transcriptionFieldsSchema.shape,
      })
      .meta({ id: 'TranscriptionRequest' }),
    examples: { one: { file: '@speech.mp3', model: 'whisper', language: 'en' } },
  },
  responses: {
    200: {
      description: 'The transcript: JSON for json and verbose_json, else text',
      schema: transcriptSchema,
      examples: {
        json: { text: 'Staking locks tokens.', usage: { type: 'duration', seconds: 3 } },
      },
      media: [
        { type: 'text/plain', example: 'Staking locks tokens.' },
        { type: 'text/vtt', example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.400\nStaking locks tokens.\n' },
      ],
      headers: {
        'X-Balance-Remaining':
          'Prepaid balance of the wallet after this request, in USD to 6 decimal places; only with a wallet sign-in',
        ...KEPT_ANSWER_HEADERS,
      },
    },
    400: {
      description:
        'The form is not valid, the length of the audio cannot be measured, or the model refuses the request',
      schema: refusedRequestSchema,
      codes: ['INVALID_MULTIPART', 'AUDIO_UNMEASURABLE', 'MODEL_REFUSED'],
    },
    ...WHOLE_ANSWER_REFUSALS,
    415: {
      description: 'The body is not multipart/form-data',
      schema: standardErrorSchema,
      examples: {
        type: {
          error: 'The request body must be multipart/form-data with a boundary, without Content-Encoding.',
          code: 'UNSUPPORTED_MEDIA_TYPE',
          hint: 'Send the fields and the file as multipart/form-data, as the OpenAI SDKs do.',
        },
      },
    },
  },
};

export const transcriptionsRoute: Route = { path: '/api/v1/audio/transcriptions', docs: { POST: docs } };

/** POST /audio/transcriptions: returns the text of an audio file. Charges by the second of audio. */
export function audioTranscriptions({
  paidCalls,
  transcriptions,
}: {
  paidCalls: PaidCalls;
  transcriptions: Transcriptions;
}): Endpoint {
  return {
    ...transcriptionsRoute,
    POST: async (call) => {
      const received = new ReceivedAudio();
      try {
        return await paidCalls.serve(call, transcriptionsService(transcriptions, received));
      } finally {
        await received.remove();
      }
    },
  };
}
