import { apiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { gathered } from '../../http/held-memory/gathered';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import { refusedError } from '../../upstreams/models/upstream-error';
import { decodeSpeech } from '../encoding/decode-speech';
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
  let isEmpty = true;
  try {
    for await (const samples of decodeSpeech(upstream.rawFormat === 'wav' ? onlyWav(audio) : audio)) {
      isEmpty = false;
      yield samples;
    }
  } catch (error) {
    // Known by its name: bundles of one process have classes of their own.
    const isUnreadable = error instanceof Error && error.name === 'AudioUnreadableError';
    throw isUnreadable
      ? apiError('MODEL_ANSWER_INVALID', { message: `The audio of the model cannot be read. ${error.message}` })
      : error;
  } finally {
    audio.abort();
  }
  if (isEmpty) throw apiError('MODEL_ANSWER_INVALID', { message: 'The audio of the model holds no sound.' });
}

/** Something else would be taken for samples without a header, and be noise. */
async function* onlyWav(audio: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const bytes of audio) {
    if (!head) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (!head.toString('latin1', 0, 4).startsWith('RIFF'.slice(0, head.length)))
      throw apiError('MODEL_ANSWER_INVALID', { message: 'The answer of the model is no WAV file.' });
    if (head.length < 4) continue;
    yield head;
    head = null;
  }
  if (head && head.length > 0)
    throw apiError('MODEL_ANSWER_INVALID', { message: 'The answer of the model is no WAV file.' });
}

/** A whole file in the upstream's own encoding. @throws as `samplesOf` */
export async function fileOf(
  audio: UpstreamAudio,
  format: AudioFormat,
  upstream: SpeechUpstream,
  memory: HeldMemory | null,
): Promise<Buffer> {
  await openAudio(audio, upstream);
  const file = await gathered(audio, memory);
  if (!BEGINNINGS[format]?.(file))
    throw apiError('MODEL_ANSWER_INVALID', { message: `The answer of the model is no ${format} file.` });
  return file;
}
