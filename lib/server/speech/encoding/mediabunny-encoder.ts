import { createHash } from 'node:crypto';
import { registerAacEncoder } from '@mediabunny/aac-encoder';
import { registerFlacEncoder } from '@mediabunny/flac-encoder';
import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import {
  AdtsOutputFormat,
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  FlacOutputFormat,
  Output,
  StreamTarget,
} from 'mediabunny';
import { SpareEncoders } from './spare-encoders';
import type { Emit, StreamEncoder } from './stream-encoder';

const AAC_BITS_PER_SECOND = 64_000;
/**
 * Byte offset of the MD5 in a file: 8 bytes of marker and block header, then 18 bytes of STREAMINFO (RFC 9639, section
 * 8.2).
 */
const FLAC_MD5_OFFSET = 8 + 18;

registerAacEncoder();
registerFlacEncoder();

const spares = {
  // ADTS has no file header, so a whole file has the same bytes as a stream.
  aac: new SpareEncoders((emit) => start('aac', true, emit)),
  streamedFlac: new SpareEncoders((emit) => start('flac', true, emit)),
  wholeFlac: new SpareEncoders((emit) => start('flac', false, emit)),
};

/**
 * Encodes AAC-LC in ADTS, or FLAC. A whole FLAC file contains its sample count and MD5. A streamed file marks its count
 * and MD5 as unknown (RFC 9639). Keeps a spare encoder running for each recently used format.
 */
export function createMediabunnyEncoder(
  format: 'aac' | 'flac',
  isStreamed: boolean,
  emit: Emit,
): Promise<StreamEncoder> {
  if (format === 'aac') return spares.aac.take(emit);
  return (isStreamed ? spares.streamedFlac : spares.wholeFlac).take(emit);
}

/**
 * Sample that starts an encoder's thread but adds nothing to the file. Overrides the copying methods, which fail for an
 * empty `AudioSample`.
 */
class NoSamples extends AudioSample {
  constructor() {
    super({
      data: new Int16Array(0),
      format: 's16',
      numberOfChannels: 1,
      sampleRate: SPEECH_SAMPLE_RATE,
      timestamp: 0,
    });
  }

  override clone(): AudioSample {
    return this;
  }

  override allocationSize(): number {
    return Int32Array.BYTES_PER_ELEMENT;
  }

  override copyTo(): void {}
}

async function start(format: 'aac' | 'flac', isStreamed: boolean, emit: Emit): Promise<StreamEncoder> {
  const isRewritten = format === 'flac' && !isStreamed;
  const target = isRewritten
    ? new BufferTarget()
    : new StreamTarget(new WritableStream({ write: ({ data }) => emit(data.slice()) }));
  const output = new Output({
    target,
    format: format === 'aac' ? new AdtsOutputFormat() : new FlacOutputFormat({ appendOnly: isStreamed }),
  });
  const source = new AudioSampleSource(
    format === 'aac' ? { codec: 'aac', bitrate: AAC_BITS_PER_SECOND } : { codec: 'flac' },
  );
  output.addAudioTrack(source);
  await output.start();
  const md5 = createHash('md5');
  let sampleCount = 0;
  const add = async (samples: Int16Array<ArrayBuffer>): Promise<void> => {
    const sample = new AudioSample({
      data: samples,
      format: 's16',
      numberOfChannels: 1,
      sampleRate: SPEECH_SAMPLE_RATE,
      timestamp: sampleCount / SPEECH_SAMPLE_RATE,
    });
    sampleCount += samples.length;
    await source.add(sample);
    sample.close();
  };
  await source.add(new NoSamples());
  return {
    async write(samples) {
      if (samples.length === 0) return;
      if (isRewritten) md5.update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
      await add(samples);
    },
    async finish() {
      await output.finalize();
      if (!(target instanceof BufferTarget) || target.buffer === null) return;
      const file = new Uint8Array(target.buffer);
      file.set(md5.digest(), FLAC_MD5_OFFSET);
      emit(file);
    },
    cancel: () => output.cancel(),
  };
}
