import { object, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

interface TranscriptionRequest {
  model: string;
  audio: Uint8Array<ArrayBuffer>;
  /** Language of the speech, such as "en". By default, the model detects the language. */
  language?: string;
}

const transcript = object({ text });

/** Turns audio into text. The gateway recognizes the format by the file's content. */
export async function transcribe(
  options: TurnpikeClientOptions,
  { model, audio, language }: TranscriptionRequest,
  callOptions?: CallOptions,
): Promise<string> {
  const form = new FormData();
  form.append('model', model);
  if (language !== undefined) form.append('language', language);
  form.append('file', new Blob([audio]), 'audio');
  const answer = await exchanger(options)('POST', '/api/v1/audio/transcriptions', { ...callOptions, form });
  return (await fitting(transcript, answer)).text;
}
