import { apiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { refusedError } from '../../inference/upstream-error';
import { sampleReader } from '../samples/sample-reader';
import { WavUnreadable } from '../samples/wav-layout';
import type { SpeechUpstream } from './speech-upstream';
import type { UpstreamAudio } from './upstream-audio';

/** What an error or a page says it is, whatever its status. */
const NO_AUDIO = /^(text\/|application\/(json|problem\+json|xml|xhtml\+xml)\b)/i;

/** How a file of each format begins; those that are made here are not among them. */
const BEGINNINGS: Partial<Record<AudioFormat, (bytes: Buffer) => boolean>> = {
  mp3: (bytes) => bytes.toString('latin1', 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  opus: (bytes) => bytes.toString('latin1', 0, 4) === 'OggS',
  aac: (bytes) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0,
  flac: (bytes) => bytes.toString('latin1', 0, 4) === 'fLaC',
};

/**
 * Waits for an answer that is audio.
 * @throws ApiError for a refusal, and for what is no audio; UpstreamFailed where there is no answer
 */
export async function openAudio(audio: UpstreamAudio, upstream: SpeechUpstream): Promise<void> {
  const { status, headers } = await audio.head;
  if (status !== 200) throw refusedError({ status, headers, body: await audio.errorBody() }, upstream);
  const type = headers['content-type'];
  if (typeof type === 'string' && NO_AUDIO.test(type)) {
    audio.abort();
    throw apiError('MODEL_ANSWER_INVALID', { message: 'The answer of the model is no audio.' });
  }
}

/**
 * The audio as samples, 16 bits, 24 kHz, mono, as it comes.
 * @throws as `openAudio`, and ApiError MODEL_ANSWER_INVALID for audio that cannot be read, or holds no sound
 */
export async function* samplesOf(audio: UpstreamAudio, upstream: SpeechUpstream): AsyncGenerator<Int16Array> {
  await openAudio(audio, upstream);
  const reader = sampleReader(upstream.rawFormat);
  let isEmpty = true;
  try {
    for await (const bytes of audio) {
      const samples = reader.push(bytes);
      if (samples.length === 0) continue;
      isEmpty = false;
      yield samples;
    }
    const rest = reader.end();
    if (rest.length > 0) yield rest;
    else if (isEmpty) throw apiError('MODEL_ANSWER_INVALID', { message: 'The audio of the model holds no sound.' });
  } catch (error) {
    throw error instanceof WavUnreadable ? apiError('MODEL_ANSWER_INVALID', { message: `The audio of the model cannot be read. ${error.message}` }) : error;
  } finally {
    audio.abort();
  }
}

/** A whole file in the upstream's own encoding. @throws as `samplesOf` */
export async function fileOf(audio: UpstreamAudio, format: AudioFormat, upstream: SpeechUpstream): Promise<Uint8Array[]> {
  await openAudio(audio, upstream);
  const parts: Uint8Array[] = [];
  for await (const bytes of audio) parts.push(bytes);
  if (!BEGINNINGS[format]?.(Buffer.concat(parts.slice(0, 4)))) throw apiError('MODEL_ANSWER_INVALID', { message: `The answer of the model is no ${format} file.` });
  return parts;
}
