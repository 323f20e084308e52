import { apiError } from '@/lib/protocol/errors';
import { DEFAULT_SPEECH_MODEL, isSpeechModelId } from '@/lib/protocol/speech/speech-models';
import { speechCostNanoUsd } from '@/lib/protocol/speech/speech-price';
import { charactersOf, type SpeechRequest, speechRequestSchema } from '@/lib/protocol/speech/speech-request';
import { notAdmitted, reserveFor, spendableOf, tooLittle } from '../../billing/charge';
import { identify, type IdentifiedCaller } from '../../auth/identify';
import { limitCaller } from '../../auth/identify-reader';
import type { Gateway } from '../../gateway';
import type { Call } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { readJson } from '../../http/read-json';
import { checkVoice, upstreamVoiceOf } from '../../speech/check-voice';
import type { OfferedSpeechModel } from '../../speech/offered-model';
import type { CheckedSpeech, PaidSpeech } from '../../speech/paid-speech';
import { speakStream } from '../../speech/speak-stream';
import { speakWhole } from '../../speech/speak-whole';
import { speechDocs } from './docs';

/** The longest input with every character escaped, and as much again for the rest. */
const REQUEST_BYTES_MAX = 131_072;

/** POST /audio/speech: text to audio, whole or sentence by sentence, charged by the characters spoken. */
export const audioSpeech: Endpoint = {
  path: '/api/v1/audio/speech',
  docs: { POST: speechDocs },
  POST: async (call, gateway) => {
    const caller = await identify(call, gateway);
    limitCaller(caller, gateway);
    const speech = await validate(call, gateway, caller);
    const paid = await reserve(call, speech, gateway, caller);
    return speech.request.streaming ? speakStream(paid, gateway) : speakWhole(paid, gateway);
  },
};

async function validate(call: Call, gateway: Gateway, caller: IdentifiedCaller): Promise<CheckedSpeech> {
  const spendableNanoUsd = await spendableOf(caller, gateway);
  // A wallet is told what the call costs, for which it has to be read.
  if (spendableNanoUsd <= 0 && caller.wallet === null) throw tooLittle(spendableNanoUsd, caller, null, call, gateway);
  const request = await readJson(call, speechRequestSchema, REQUEST_BYTES_MAX);
  const offered = await findModels(request, gateway);
  const { speech: config } = gateway.config;
  // Handles are known to the upstream that made them.
  const [model = offered[0], ...others] = offered.filter((each) => upstreamVoiceOf(request.voice, each, config) !== null);
  const voice = checkVoice(request.voice, model, config);
  const format = request.response_format ?? model.defaultFormat;
  if (!model.supportedFormats.includes(format)) throw unsupported(format, model);
  const characters = charactersOf(request.input);
  return { request, model, others, voice, format, characters, maxNanoUsd: speechCostNanoUsd(characters, model.priceNanoUsdPerMillion) };
}

async function findModels(request: SpeechRequest, gateway: Gateway): Promise<[OfferedSpeechModel, ...OfferedSpeechModel[]]> {
  const id = request.model ?? DEFAULT_SPEECH_MODEL;
  const named = JSON.stringify(id.slice(0, 100));
  if (!isSpeechModelId(id)) throw apiError('MODEL_NOT_FOUND', { message: `There is no speech model ${named}.` });
  const [model, ...others] = await gateway.speech.models.find(id);
  if (!model) throw apiError('MODEL_NOT_FOUND', { message: `No upstream of this gateway has the speech model ${named}.` });
  return [model, ...others];
}

function unsupported(format: string, { id, supportedFormats }: OfferedSpeechModel) {
  const message = `The model ${id} does not deliver ${format}. It delivers ${supportedFormats.join(', ')}.`;
  return apiError('UNSUPPORTED_FORMAT', { message, details: { _errors: [], response_format: { _errors: [message] } } });
}

/** Holds what the text costs. */
async function reserve(call: Call, speech: CheckedSpeech, gateway: Gateway, caller: IdentifiedCaller): Promise<PaidSpeech> {
  const { maxNanoUsd } = speech;
  const admission = await reserveFor(caller, { maxNanoUsd, maxCredits: 0, uncapped: true, idempotency: null, now: gateway.now() }, gateway);
  if (admission.outcome === 'replayed') throw new Error('Speech has no idempotency key.');
  if (admission.outcome === 'refused') throw notAdmitted(admission.refusal, caller, maxNanoUsd, call, gateway);
  return { ...speech, call, caller, reservation: admission.reservation, remainingNanoUsd: admission.remainingNanoUsd };
}
