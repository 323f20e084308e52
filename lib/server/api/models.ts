import { z } from 'zod';
import { standardErrorSchema, detailedErrorSchema } from '@/lib/protocol/error-bodies';
import { type Call, json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import { readQuery } from '../http/json-body';
import type { Operation } from '../http/operation';
import { faultyField } from './openapi/faulty-field';
import { speechModelEntry } from '../speech/model-entry';
import { modelEntry } from '../chat/model-entry';
import { videoModelEntry } from '../video/video-model';
import { ENCRYPTIONS } from '../config/inference';
import type { Auth } from '../auth/auth';
import type { ListedModel, ModelCatalogue } from '../chat/model-catalogue';
import type { SpeechCatalogue } from '../speech/speech-catalogue';
import type { VideoCatalogue } from '../video/video-catalogue';
import type { SeenReports } from '../attestation/seen-reports';
import { familySchema, listedEnclaveSchema, listedHopSchema, modelHops } from './tee/hops';

const query = z.object({ type: z.enum(['text', 'tts', 'video', 'all']).default('text') });

const flag = (description: string) => z.boolean().describe(description);

/** The flags of the specification, false where they do not apply; speech models have further ones. */
const capabilitiesSchema = z
  .object({
    supportsE2EE: flag(
      'Takes end-to-end encrypted requests by the three X-Service-TEE headers with ecdsa. Models that clients encrypt to in another way have it false: model_spec.encryption says in which',
    ),
    supportsTeeAttestation: flag('Runs in an enclave that can be attested'),
    supportsResponseSchema: flag('Takes response_format with a JSON schema'),
    supportsFunctionCalling: flag('Calls tools'),
    supportsVision: flag(
      'Takes pictures; absent where nobody says. A model that has just refused one has it false for ten minutes',
    ).optional(),
    supportsWebSearch: flag('Always false: it is not offered'),
  })
  .catchall(z.boolean());

/** What is said of a model, whatever its type. */
export const modelEntrySchema = z
  .looseObject({
    id: z.string(),
    type: z.enum(['text', 'tts', 'video']),
    object: z.literal('model'),
    created: z.number().int(),
    owned_by: z.string(),
    context_length: z.number().int().optional(),
    model_spec: z.looseObject({
      availableContextTokens: z
        .number()
        .int()
        .describe(
          'Of text models the context. Of speech and video the longest input in characters, which never has more tokens than that',
        ),
      capabilities: capabilitiesSchema,
      encryption: z
        .enum(ENCRYPTIONS)
        .optional()
        .describe(
          'How clients encrypt to the model, of text models that they can encrypt to: ecdsa with the three X-Service-TEE headers, ed25519 with the same in another form, ehbp and ml-kem-768 the whole body',
        ),
      encryptionHeaders: z
        .array(z.string())
        .optional()
        .describe(
          'The request headers of that encryption. With X-Encrypt-All-Fields among them the enclave encrypts log probabilities, refusals and tool calls too where it is sent as true',
        ),
      family: familySchema.optional(),
      enclaves: z
        .array(listedEnclaveSchema)
        .optional()
        .describe('As the last report had them that this gateway handed on; empty where there was none yet'),
      hops: z
        .array(listedHopSchema)
        .optional()
        .describe('The path of a prompt, of text models. What proves anything is GET /tee/attestation'),
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
  summary: 'The models',
  description:
    'Public; a credential that is presented must hold. Models whose server does not answer now are listed with "offline": true. Prices are in USD, of text per million tokens, of speech per million characters and of video per second. A model with supportsE2EE takes the encrypted requests that POST /chat/completions describes with the three X-Service-TEE headers; how clients encrypt to others is said by model_spec.encryption.',
  credentials: [],
  parameters: [
    { name: 'type', in: 'query', required: false, description: 'text unless given', schema: query.shape.type },
  ],
  responses: {
    200: {
      description: 'The models of this type, by id',
      schema: z
        .object({ object: z.literal('list'), type: query.shape.type, data: z.array(modelEntrySchema) })
        .meta({ id: 'ModelList' }),
      examples: { text: { object: 'list', type: 'text', data: [MODEL_EXAMPLE] } },
    },
    400: {
      description: 'The type is not known',
      schema: detailedErrorSchema,
      examples: { type: faultyField('type', 'Must be one of "text", "tts", "video", "all"') },
    },
    401: {
      description: 'The credential that was presented is not valid',
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

/** GET /models: what can be asked, by type. Public. */
export function models(catalogues: ModelCatalogues & { auth: Auth }): Endpoint {
  return {
    ...modelsRoute,
    GET: async (call) => {
      await checkPresented(call, catalogues.auth);
      const { type } = readQuery(call, query);
      return json({ object: 'list', type, data: await modelEntries(type, catalogues) });
    },
  };
}

/** What models there are, by type. */
export interface ModelCatalogues {
  chat: Pick<ModelCatalogue, 'list'>;
  speech: Pick<SpeechCatalogue, 'list'>;
  video: Pick<VideoCatalogue, 'list'>;
  /** What the last reports said of families and enclaves. */
  seen: Pick<SeenReports, 'of'>;
}

/** The entries of a list of models. */
export async function modelEntries(
  type: 'text' | 'tts' | 'video' | 'all',
  { chat, speech, video, seen }: ModelCatalogues,
) {
  const chats = type === 'text' || type === 'all' ? await chat.list() : [];
  const voices = type === 'tts' || type === 'all' ? await speech.list() : [];
  const videos = type === 'video' || type === 'all' ? await video.list() : [];
  return [
    ...chats.map((listed) => chatEntry(listed, seen)),
    ...voices.map(speechModelEntry),
    ...videos.map(videoModelEntry),
  ];
}

function chatEntry(listed: ListedModel, seen: ModelCatalogues['seen']) {
  const entry = modelEntry(listed);
  return { ...entry, model_spec: { ...entry.model_spec, ...modelHops(listed, seen) } };
}

/** What is public asks for no credential, but one that is presented must hold. @throws ApiError 401 */
export async function checkPresented(call: Call, auth: Auth): Promise<void> {
  const presented = ['authorization', 'sign-in-with-x', 'x-sign-in-with-x'].some((name) => call.header(name) !== null);
  if (presented) await auth.identifyCredential(call);
}
