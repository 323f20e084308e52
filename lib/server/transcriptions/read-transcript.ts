import { apiError } from '@/lib/protocol/errors';
import { parsedRecord } from '@/lib/protocol/json-record';
import { type TranscriptFormat, verboseTranscriptSchema } from '@/lib/protocol/transcriptions/transcription-request';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an answer in the requested format, and drops fields that do not belong to the format.
 *
 * @param seconds measured length of the audio
 * @throws ApiError MODEL_ANSWER_INVALID if the answer has another format
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

/** Returns a plain transcript. Some servers wrap it in JSON. */
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
