import { z } from 'zod';
import { standardErrorSchema, detailedErrorSchema } from '@/lib/protocol/error-bodies';
import type { Call } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import { readQuery } from '../http/json-body';
import { KeptJson } from '../http/kept-json';
import type { Operation } from '../http/operation';
import { faultyField } from './openapi/refusals';
import { speechModelEntry, type SpeechCatalogue } from '../speech/speech-catalogue';
import type { ModelType } from '../chat/chat-model';
import { modelEntry, type ListedModel, type ModelCatalogue } from '../chat/model-catalogue';
import { type Embeddings, embeddingModelEntry } from '../embeddings/embeddings';
import { type Images, imageModelEntry } from '../images/images';
import { transcriptionModelEntry, type Transcriptions } from '../transcriptions/transcriptions';
import { videoModelEntry } from '../video/video-model';
import { ENCRYPTIONS } from '../config/inference';
import type { Auth } from '../auth/auth';
import type { VideoCatalogue } from '../video/video-catalogue';
import type { SeenReports } from '../attestation/seen-reports';
import { familySchema, listedEnclaveSchema, listedHopSchema, modelHops } from './tee/hops';

const query = z.object({ type: z.enum(['text', 'tts', 'asr', 'embedding', 'image', 'video', 'all']).default('text') });

const flag = (description: string) => z.boolean().describe(description);

/** Capability flags that the specification requires. Some types of models have more. */
const capabilitiesSchema = z
  .object({
    supportsE2EE: flag(
      'Accepts end-to-end encrypted requests with the three X-Service-TEE headers and ecdsa. False for models with another encryption, which model_spec.encryption names',
    ),
    supportsTeeAttestation: flag('Runs in an attestable enclave'),
    supportsResponseSchema: flag('Supports response_format with a JSON schema'),
    supportsFunctionCalling: flag('Calls tools'),
    supportsVision: flag(
      'Accepts pictures; absent if unknown. False for ten minutes after the model has refused a picture',
    ).optional(),
    supportsWebSearch: flag('Always false: web search is not offered'),
  })
  .catchall(z.boolean());

export const modelEntrySchema = z
  .looseObject({
    id: z.string(),
    type: z.enum(['text', 'tts', 'asr', 'embedding', 'image', 'video']),
    object: z.literal('model'),
    created: z.number().int(),
    owned_by: z.string(),
    context_length: z.number().int().optional(),
    model_spec: z.looseObject({
      availableContextTokens: z
        .number()
        .int()
        .describe(
          'For text and embedding models, the context length. For speech, transcriptions, images and video, the longest input or prompt in characters, an upper bound of its tokens',
        ),
      capabilities: capabilitiesSchema,
      encryption: z
        .enum(ENCRYPTIONS)
        .optional()
        .describe(
          'Encryption of requests to the model, if it has one: ecdsa and ed25519 encrypt messages (X-Service-TEE headers), ehbp and ml-kem-768 the whole body',
        ),
      encryptionHeaders: z
        .array(z.string())
        .optional()
        .describe(
          'Request headers of that encryption. If X-Encrypt-All-Fields is among them, sending it as true also encrypts log probabilities, refusals and tool calls',
        ),
      latency: z
        .object({ firstTokenMs: z.number().int() })
        .optional()
        .describe(
          'Median time from the request to the first token, of the last 32 streamed chats that this gateway process relayed',
        ),
      family: familySchema.optional(),
      enclaves: z
        .array(listedEnclaveSchema)
        .optional()
        .describe('From the last report that this gateway forwarded; empty before the first'),
      hops: z
        .array(listedHopSchema)
        .optional()
        .describe(
          'The path of a prompt to a text model, or of texts to an encrypted embedding model. Only GET /tee/attestation proves it',
        ),
    }),
  })
  .meta({ id: 'Model' });

export const MODEL_EXAMPLE = {
  id: 'guide',
  type: 'text',
  object: 'model',
  created: 1795392000,
  owned_by: 'turnpike',
  context_length: 32768,
  model_spec: {
    availableContextTokens: 32768,
    capabilities: {
      supportsE2EE: false,
      supportsTeeAttestation: false,
      supportsResponseSchema: true,
      supportsFunctionCalling: true,
      supportsWebSearch: false,
    },
  },
};

const docs: Operation = {
  id: 'listModels',
  tag: 'Models',
  summary: 'List the models',
  description:
    'Public, but a credential that is sent must be valid. Models whose server does not answer have "offline": true. Prices are in USD: per million tokens for text and embeddings, per million characters for speech, per picture for images, per second for transcriptions and video. Models with supportsE2EE accept requests encrypted with the three X-Service-TEE headers (POST /chat/completions); model_spec.encryption names the encryption of other models. Embedding models with it accept only encrypted requests.',
  credentials: [],
  parameters: [
    { name: 'type', in: 'query', required: false, description: 'text by default', schema: query.shape.type },
  ],
  responses: {
    200: {
      description: 'The models of this type, by id',
      schema: z
        .object({ object: z.literal('list'), type: query.shape.type, data: z.array(modelEntrySchema) })
        .meta({ id: 'ModelList' }),
      examples: { text: { object: 'list', type: 'text', data: [MODEL_EXAMPLE] } },
      headers: { ETag: 'For If-None-Match. The list is at most 100 ms old' },
    },
    304: { description: 'If-None-Match names the current ETag' },
    400: {
      description: 'The type is not known',
      schema: detailedErrorSchema,
      examples: {
        type: faultyField('type', 'Must be one of "text", "tts", "asr", "embedding", "image", "video", "all"'),
      },
    },
    401: {
      description: 'The credential is not valid',
      schema: standardErrorSchema,
      codes: ['INVALID_API_KEY'],
    },
    503: {
      description: 'The gateway cannot reach its database',
      schema: standardErrorSchema,
      codes: ['STORE_UNAVAILABLE'],
    },
  },
};

export const modelsRoute: Route = { path: '/api/v1/models', docs: { GET: docs }, untidy: 'below-api' };

/** GET /models: lists the models of a type. The list is at most 100 ms old. Public. */
export function models(catalogues: ModelCatalogues & { auth: Auth }): Endpoint {
  const kept = new KeptJson();
  return {
    ...modelsRoute,
    GET: async (call) => {
      await checkPresented(call, catalogues.auth);
      const { type } = readQuery(call, query);
      return kept.reply(call, type, async () => ({ object: 'list', type, data: await modelEntries(type, catalogues) }));
    },
  };
}

export interface ModelCatalogues {
  chat: Pick<ModelCatalogue, 'list'>;
  speech: Pick<SpeechCatalogue, 'list'>;
  embeddings: Pick<Embeddings['models'], 'list'>;
  images: Pick<Images['models'], 'list'>;
  transcriptions: Pick<Transcriptions['models'], 'list'>;
  video: Pick<VideoCatalogue, 'list'>;
  /** Enclaves from each model's last attestation report. */
  seen: Pick<SeenReports, 'of'>;
}

export async function modelEntries(
  type: z.output<typeof query>['type'],
  { chat, speech, transcriptions, embeddings, images, video, seen }: ModelCatalogues,
) {
  const listed = type === 'text' || type === 'embedding' || type === 'all' ? await chat.list() : [];
  const inferred = (kind: ModelType) =>
    type === 'all' || type === kind ? listed.filter(({ model }) => model.type === kind) : [];
  const voices = type === 'tts' || type === 'all' ? await speech.list() : [];
  const transcribers = type === 'asr' || type === 'all' ? transcriptions.list() : [];
  const vectors = type === 'embedding' || type === 'all' ? embeddings.list() : [];
  const pictures = type === 'image' || type === 'all' ? images.list() : [];
  const videos = type === 'video' || type === 'all' ? await video.list() : [];
  return [
    ...inferred('text').map((each) => chatEntry(each, seen)),
    ...voices.map(speechModelEntry),
    ...transcribers.map(transcriptionModelEntry),
    ...vectors.map(embeddingModelEntry),
    ...inferred('embedding').map((each) => chatEntry(each, seen)),
    ...pictures.map(imageModelEntry),
    ...videos.map(videoModelEntry),
  ];
}

function chatEntry(listed: ListedModel, seen: ModelCatalogues['seen']) {
  const entry = modelEntry(listed);
  return { ...entry, model_spec: { ...entry.model_spec, ...modelHops(listed, seen) } };
}

/**
 * Refuses an invalid credential at an endpoint that also works without a credential.
 * @throws ApiError 401
 */
export async function checkPresented(call: Call, auth: Auth): Promise<void> {
  const presented = ['authorization', 'sign-in-with-x', 'x-sign-in-with-x'].some((name) => call.header(name) !== null);
  if (presented) await auth.identifyCredential(call);
}
