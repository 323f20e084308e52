import { apiError } from '@/lib/protocol/errors';
import type { AudioFormat } from '@/lib/protocol/speech/audio-format';
import { gathered } from '../../http/held-memory/held-parts';
import type { HeldMemory } from '../../http/held-memory/held-memory';
import { refusedError } from '../../upstreams/models/upstream-error';
import { decodeSpeech } from '../encoding/decode-speech';
import type { SpeechUpstream } from './speech-upstream';
import type { UpstreamAudio } from './upstream-audio';

const NO_AUDIO = /^(text\/|application\/(json|problem\+json|xml|xhtml\+xml)\b)/i;

/** Checks of a file's first bytes, by format. WAV and PCM need none, because the gateway always encodes them itself. */
const BEGINNINGS: Partial<Record<AudioFormat, (bytes: Buffer) => boolean>> = {
  mp3: (bytes) => bytes.toString('latin1', 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  opus: (bytes) => bytes.toString('latin1', 0, 4) === 'OggS',
  aac: (bytes) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0,
  flac: (bytes) => bytes.toString('latin1', 0, 4) === 'fLaC',
};

/**
 * Waits until the answer has begun, and checks that it is audio.
 * @throws ApiError if the upstream refuses or its answer is not audio; UpstreamFailed if there is no answer
 */
async function openAudio(audio: UpstreamAudio, upstream: SpeechUpstream): Promise<void> {
  const { status, headers } = await audio.head;
  if (status !== 200) throw refusedError({ status, headers, body: await audio.errorBody() }, upstream);
  const type = headers['content-type'];
  if (typeof type === 'string' && NO_AUDIO.test(type)) {
    audio.abort();
    throw apiError('MODEL_ANSWER_INVALID', { message: "The model's answer is not audio." });
  }
}

/**
 * Yields the audio while it arrives, as 16-bit samples in 24 kHz mono.
 * @throws the errors of `openAudio`; ApiError MODEL_ANSWER_INVALID for audio that is unreadable or empty
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
    // Compares class names, because each bundle in the process has its own copy of the class.
    const isUnreadable = error instanceof Error && error.name === 'AudioUnreadableError';
    throw isUnreadable
      ? apiError('MODEL_ANSWER_INVALID', { message: `The model's audio could not be decoded. ${error.message}` })
      : error;
  } finally {
    audio.abort();
  }
  if (isEmpty) throw apiError('MODEL_ANSWER_INVALID', { message: 'The model returned empty audio.' });
}

/** Refuses anything but WAV, because the decoder would treat other formats as raw samples and produce noise. */
async function* onlyWav(audio: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const bytes of audio) {
    if (!head) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (!head.toString('latin1', 0, 4).startsWith('RIFF'.slice(0, head.length)))
      throw apiError('MODEL_ANSWER_INVALID', { message: "The model's answer is not a WAV file." });
    if (head.length < 4) continue;
    yield head;
    head = null;
  }
  if (head && head.length > 0)
    throw apiError('MODEL_ANSWER_INVALID', { message: "The model's answer is not a WAV file." });
}

/** Returns a whole file in the upstream's own encoding. @throws the same errors as `samplesOf` */
export async function fileOf(
  audio: UpstreamAudio,
  format: AudioFormat,
  upstream: SpeechUpstream,
  memory: HeldMemory | null,
): Promise<Buffer> {
  await openAudio(audio, upstream);
  const file = await gathered(audio, memory);
  if (!BEGINNINGS[format]?.(file))
    throw apiError('MODEL_ANSWER_INVALID', { message: `The model's answer is not a ${format} file.` });
  return file;
}
