import { apiError } from '@/lib/protocol/errors';
import { parsedRecord } from '@/lib/protocol/json-record';
import {
  type TranscriptFormat,
  type TranscriptionFields,
  verboseTranscriptSchema,
} from '@/lib/protocol/transcriptions/transcription-request';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { UploadedFile } from '../http/multipart/uploaded-file';
import type { ModelRequest, UpstreamAnswer } from '../upstreams/models/model-exchange';
import type { MeasuredFormat } from './duration/measure-audio';
import type { TranscriptionModel } from './transcriptions';

const MEDIA_TYPES: Readonly<Record<MeasuredFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  mp4: 'audio/mp4',
};

interface Recording {
  file: UploadedFile;
  format: MeasuredFormat;
}

/**
 * Returns the request for the upstream. Names the file after its detected format, because a server may choose its
 * decoder by the file name.
 */
export function upstreamForm(
  fields: TranscriptionFields,
  responseFormat: TranscriptFormat,
  { file, format }: Recording,
  { upstreamModel }: Pick<TranscriptionModel, 'upstreamModel'>,
): ModelRequest {
  const boundary = `turnpike-${randomUUID()}`;
  const granularities = responseFormat === 'verbose_json' ? (fields['timestamp_granularities[]'] ?? []) : [];
  const texts: [name: string, value: string][] = [
    ['model', upstreamModel],
    ['response_format', responseFormat],
    ...(['language', 'prompt', 'temperature'] as const).flatMap((name): [string, string][] =>
      fields[name] === undefined ? [] : [[name, String(fields[name])]],
    ),
    ...granularities.map((each): [string, string] => ['timestamp_granularities[]', each]),
  ];
  const head = Buffer.from(
    texts
      .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.${format}"\r\nContent-Type: ${MEDIA_TYPES[format]}\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    method: 'POST',
    path: '/audio/transcriptions',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.length + end.length),
    },
    body: Readable.from(partsOf(head, file, end), { objectMode: false }),
  };
}

async function* partsOf(head: Buffer, file: UploadedFile, end: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* file.parts();
  yield end;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an answer in the requested format, and drops fields that do not belong to the format.
 *
 * @param seconds measured duration of the audio
 * @throws ApiError MODEL_ANSWER_INVALID if the answer has a different format
 */
export function readTranscript(
  { body, headers }: Pick<UpstreamAnswer, 'body' | 'headers'>,
  format: TranscriptFormat,
  seconds: number,
): string {
  const text = decoded(body);
  if (format === 'json' || format === 'verbose_json') {
    const { success, data } = verboseTranscriptSchema.safeParse(parsedRecord(text));
    if (!success) throw invalid(`The model's answer is not a transcript in the format ${format}.`);
    const usage = { type: 'duration', seconds: Math.ceil(seconds) };
    return JSON.stringify(format === 'json' ? { text: data.text, usage } : { ...data, usage });
  }
  if (format === 'text') return plainText(text, headers);
  const isFormat = format === 'vtt' ? /^\uFEFF?WEBVTT/.test(text) : text.trim() === '' || text.includes('-->');
  if (!isFormat) throw invalid(`The model's answer is not a transcript in the format ${format}.`);
  return text;
}

/** Returns a plain transcript. If a server sent the transcript inside JSON, extracts it. */
function plainText(text: string, headers: UpstreamAnswer['headers']): string {
  const type = String(headers['content-type'] ?? '');
  if (/^text\/html/i.test(type)) throw invalid("The model's answer is a page and not a transcript.");
  const wrapped: unknown = /json/i.test(type) ? parsedRecord(text)?.['text'] : undefined;
  return typeof wrapped === 'string' ? wrapped : text;
}

function decoded(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalid("The model's answer is not UTF-8.");
  }
}

function invalid(message: string) {
  return apiError('MODEL_ANSWER_INVALID', { message });
}
