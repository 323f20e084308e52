import { createHash } from 'node:crypto';
import { apiError } from '@/lib/protocol/errors';
import { DEFAULT_SPEECH_MODEL, isSpeechModelId } from '@/lib/protocol/speech/speech-models';
import {
  charactersOf,
  speechCostNanoUsd,
  type SpeechRequest,
  speechRequestSchema,
} from '@/lib/protocol/speech/speech-request';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import { readJson } from '../http/json-body';
import { checkVoice, type OfferedSpeechModel, upstreamVoiceOf } from './offered-model';
import { type CheckedSpeech, speechHeaders } from './paid-speech';
import { speakStream, speakWhole, speechBusy } from './speak';
import type { Speech } from './speech';

/** Maximum size of a request: over twice the size of the longest input with every character escaped. */
const REQUEST_BYTES_MAX = 131_072;

/** Serves speech, as a whole file or sentence by sentence. Charges by the character. */
export function speechService(speech: Speech): PaidService<CheckedSpeech> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: null,
      fingerprint: ({ request }) => createHash('sha256').update(JSON.stringify(request)).digest('hex'),
      replay,
    },
    validate: (paid) => validate(paid, speech),
    bought: ({ model }) => ({ endpoint: 'speech', name: model.id }),
    price: ({ maxNanoUsd }) => ({ maxNanoUsd, maxCredits: 0 }),
    requireServable: (_checked, caller) => {
      if (speech.turns.isFull || speech.turns.refuses(caller, speech.config.queueTimeoutMs)) throw speechBusy();
    },
    fulfil: (paid, checked) =>
      checked.request.streaming ? speakStream({ ...checked, paid }, speech) : speakWhole({ ...checked, paid }, speech),
  };
}

async function replay(body: Uint8Array, paid: PaidCall, checked: CheckedSpeech): Promise<Reply> {
  return {
    status: 200,
    headers: {
      ...speechHeaders({ ...checked, maxNanoUsd: 0, paid }, await paid.spendable()),
      'idempotent-replayed': 'true',
    },
    body,
  };
}

async function validate(paid: PaidCall, speech: Speech): Promise<CheckedSpeech> {
  refuseMisplacedEncryption(paid.call);
  const request = await readJson(paid, speechRequestSchema, REQUEST_BYTES_MAX);
  const offered = await findModels(request, speech);
  // The voice of a handle exists only at the upstream that created the handle.
  const [model = offered[0], ...others] = offered.filter(
    (each) => upstreamVoiceOf(request.voice, each, speech.config) !== null,
  );
  paid.call.record.ofModel(model);
  const voice = checkVoice(request.voice, model, speech.config);
  const format = request.response_format ?? model.defaultFormat;
  if (!model.supportedFormats.includes(format)) throw unsupported(format, model);
  const characters = charactersOf(request.input);
  return {
    request,
    model,
    others,
    voice,
    format,
    characters,
    maxNanoUsd: speechCostNanoUsd(characters, model.priceNanoUsdPerMillion),
  };
}

async function findModels(
  request: SpeechRequest,
  { models }: Speech,
): Promise<[OfferedSpeechModel, ...OfferedSpeechModel[]]> {
  const id = request.model ?? DEFAULT_SPEECH_MODEL;
  const named = JSON.stringify(id.slice(0, 100));
  if (!isSpeechModelId(id)) throw apiError('MODEL_NOT_FOUND', { message: `There is no speech model ${named}.` });
  const [model, ...others] = await models.find(id);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', { message: `No upstream of this gateway has the speech model ${named}.` });
  return [model, ...others];
}

function unsupported(format: string, { id, supportedFormats }: OfferedSpeechModel) {
  const message = `The model ${id} does not support the format ${format}. It supports ${supportedFormats.join(', ')}.`;
  return apiError('UNSUPPORTED_FORMAT', { message, details: { _errors: [], response_format: { _errors: [message] } } });
}
