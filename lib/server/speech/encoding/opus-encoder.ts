import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { Encoder } from '@evan/opus/wasm/index.mjs';
import { OggOpusWriter } from './ogg-opus-writer';
import type { Emit, StreamEncoder } from './stream-encoder';

const BITS_PER_SECOND = 32_000;
const COMPLEXITY = 6;
const FRAME_SAMPLES = SPEECH_SAMPLE_RATE / 50;
/** Opus counts samples at 48 kHz for any input rate (RFC 7845, section 4). */
const GRANULES_PER_SAMPLE = 48_000 / SPEECH_SAMPLE_RATE;

const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const GET_LOOKAHEAD = 4027;

/** Number of 20 ms packets per Ogg page: 0.2 s in a stream, 1 s in a whole file. */
const PACKETS_PER_PAGE = { streamed: 10, whole: 50 };

/** Encodes Opus in Ogg (RFC 7845). Pre-skip and the last granule position make the duration exact to the sample. */
export function createOpusEncoder(isStreamed: boolean, emit: Emit): StreamEncoder {
  const encoder = new Encoder({ channels: 1, sample_rate: SPEECH_SAMPLE_RATE, application: 'audio' });
  encoder.ctl(SET_BITRATE, BITS_PER_SECOND);
  encoder.ctl(SET_COMPLEXITY, COMPLEXITY);
  const lookahead = encoder.ctl(GET_LOOKAHEAD);
  const preSkip = lookahead * GRANULES_PER_SAMPLE;
  const writer = new OggOpusWriter(
    {
      preSkip,
      inputSampleRate: SPEECH_SAMPLE_RATE,
      packetsPerPage: isStreamed ? PACKETS_PER_PAGE.streamed : PACKETS_PER_PAGE.whole,
    },
    emit,
  );
  const frame = new Int16Array(FRAME_SAMPLES);
  let filled = 0;
  let sampleCount = 0;
  let encodedSamples = 0;

  const encodeFrame = () => {
    writer.add(encoder.encode(frame), FRAME_SAMPLES * GRANULES_PER_SAMPLE);
    encodedSamples += FRAME_SAMPLES;
    filled = 0;
  };
  return {
    write(samples) {
      sampleCount += samples.length;
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + FRAME_SAMPLES - filled);
        frame.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === FRAME_SAMPLES) encodeFrame();
      }
      if (isStreamed) writer.flush();
    },
    finish() {
      // The encoder delays its output. Silence as long as the delay pushes out the last samples.
      while (encodedSamples < sampleCount + lookahead) {
        frame.fill(0, filled);
        encodeFrame();
      }
      writer.end(preSkip + sampleCount * GRANULES_PER_SAMPLE);
      encoder.drop();
    },
    cancel: () => encoder.drop(),
  };
}
