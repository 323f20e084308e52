import { createHash } from 'node:crypto';
import { apiError } from '@/lib/protocol/errors';
import {
  type TranscriptFormat,
  type TranscriptionFields,
  transcriptionFieldsSchema,
} from '@/lib/protocol/transcriptions/transcription-request';
import type { PaidCall, Purchase } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Reply } from '../http/call';
import { refuseMisplacedEncryption } from '../http/encryption-headers';
import type { UploadedFile } from '../http/multipart/uploaded-file';
import { fieldError, validated } from '../http/validation-error';
import { askForWhole, requireFreeSlots } from '../upstreams/models/failover';
import { type MeasuredAudio, measureAudio } from './duration/measure-audio';
import { UnmeasurableAudio } from './duration/audio-bytes';
import { readTranscript, upstreamForm } from './upstream-transcription';
import type { ReceivedAudio } from './received-audio';
import type { TranscriptionModel, Transcriptions } from './transcriptions';

const TRANSCRIPTION_KEYS = 'transcriptions:';
const GRANULARITIES = 'timestamp_granularities';

interface CheckedTranscription {
  fields: TranscriptionFields;
  format: TranscriptFormat;
  file: UploadedFile;
  audio: MeasuredAudio;
  models: readonly [TranscriptionModel, ...TranscriptionModel[]];
  costNanoUsd: number;
}

/**
 * Serves transcriptions. Charges by the measured duration, in milliseconds. The endpoint must remove the uploaded file
 * with `received.remove`.
 */
export function transcriptionsService(
  transcriptions: Transcriptions,
  received: ReceivedAudio,
): PaidService<CheckedTranscription> {
  return {
    caps: 'endpoint',
    repetition: {
      keyPrefix: TRANSCRIPTION_KEYS,
      fingerprint: ({ fields, file }) =>
        createHash('sha256')
          .update(JSON.stringify([fields.model, fields, file.sha256]))
          .digest('hex'),
      replay: async (body, paid, { format }) => ({
        status: 200,
        headers: {
          'content-type': CONTENT_TYPES[format],
          'idempotent-replayed': 'true',
          ...paid.balanceHeader(await paid.spendable()),
        },
        body,
      }),
    },
    validate: (paid) => validate(paid, transcriptions, received),
    bought: ({ models: [model] }) => ({ endpoint: 'transcriptions', name: model.id }),
    price: ({ costNanoUsd }) => ({ maxNanoUsd: costNanoUsd, maxCredits: 0 }),
    requireServable: ({ models }, caller) => requireFreeSlots(models, caller),
    fulfil: (paid, checked) => transcribe(paid, checked, transcriptions),
  };
}

async function validate(
  paid: PaidCall,
  transcriptions: Transcriptions,
  received: ReceivedAudio,
): Promise<CheckedTranscription> {
  const { config, models: offered } = transcriptions;
  refuseMisplacedEncryption(paid.call);
  if (offered.list().length === 0)
    throw apiError('MODEL_NOT_FOUND', {
      message: 'This gateway has no transcription model.',
      hint: 'The operator has to configure transcriptions.upstreams and transcriptions.models. The sandbox has no stand-in for them.',
    });
  const { file, fields: form } = await received.receive(paid, transcriptions);
  const fields = validated(transcriptionFieldsSchema, valuesOf(form), 'The form');
  const id = fields.model ?? offered.firstId;
  const [model, ...others] = offered.find(id);
  if (!model)
    throw apiError('MODEL_NOT_FOUND', {
      message: `There is no transcription model ${JSON.stringify(id.slice(0, 100))}.`,
      hint: 'GET /api/v1/models?type=asr lists the transcription models.',
    });
  paid.call.record.ofModel(model);
  const audio = await measured(file);
  if (audio.seconds > config.secondsMax)
    throw fieldError(
      'file',
      `Has ${Math.ceil(audio.seconds)} seconds of audio; one request can have at most ${config.secondsMax}`,
    );
  return {
    fields,
    format: fields.response_format ?? 'json',
    file,
    audio,
    models: [model, ...others],
    costNanoUsd: Math.ceil((Math.ceil(audio.seconds * 1_000) * model.nanoUsdPerSecond) / 1_000),
  };
}

/**
 * Returns the last value of each field. For `timestamp_granularities`, whose name may end with brackets, returns all
 * values.
 */
function valuesOf(form: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of ['model', 'language', 'prompt', 'response_format', 'temperature'])
    values[name] = form.get(name)?.at(-1) || undefined;
  const granularities = [GRANULARITIES, `${GRANULARITIES}[]`].flatMap((name) => form.get(name) ?? []).filter(Boolean);
  if (granularities.length > 0) values[`${GRANULARITIES}[]`] = [...new Set(granularities)];
  return values;
}

async function measured(file: UploadedFile): Promise<MeasuredAudio> {
  try {
    return await measureAudio(file);
  } catch (error) {
    if (!(error instanceof UnmeasurableAudio)) throw error;
    throw apiError('AUDIO_UNMEASURABLE', { message: error.message });
  }
}

async function transcribe(
  paid: PaidCall,
  checked: CheckedTranscription,
  { config, log }: Transcriptions,
): Promise<Reply> {
  const { fields, format, file, audio, models } = checked;
  const { call } = paid;
  const stopKeeping = paid.keepAlive(() => ({ ...purchase(checked), amountNanoUsd: 0, units: 0 }));
  try {
    const text = await askForWhole(
      models,
      { config, log, call, caller: paid.caller.accountId },
      (model) => upstreamForm(fields, format, { file, format: audio.format }, model),
      (answer) => readTranscript(answer, format, audio.seconds),
    );
    const body = Buffer.from(text);
    const settled = await paid.settle({ ...purchase(checked), replayBody: paid.replayOf(body) });
    return { status: 200, headers: { 'content-type': CONTENT_TYPES[format], ...paid.settledHeaders(settled) }, body };
  } finally {
    stopKeeping();
  }
}

const CONTENT_TYPES: Readonly<Record<TranscriptFormat, string>> = {
  json: 'application/json',
  verbose_json: 'application/json',
  text: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

function purchase({ audio: { seconds }, models: [model], costNanoUsd }: CheckedTranscription): Purchase {
  return {
    amountNanoUsd: costNanoUsd,
    credits: 0,
    units: Math.ceil(seconds),
    resource: `transcriptions/${model.id}`,
    detail: `${seconds.toFixed(3)} seconds`,
    replayBody: null,
  };
}
