import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { Resampler } from './resampler';
import { readWavLayout, type WavLayout, WavUnreadable } from './wav-layout';

/** Reads audio that comes in pieces as samples: 16 bits, 24 kHz, mono. */
export interface SampleReader {
  /** The samples that these bytes complete; their memory is the receiver's. */
  push(bytes: Buffer): Int16Array;
  /** What was held back. @throws where the audio is not whole */
  end(): Int16Array;
}

/** A reader of what an upstream delivers. */
export function sampleReader(format: 'wav' | 'pcm'): SampleReader {
  return format === 'wav' ? new WavReader() : new PcmReader();
}

const NOTHING = Buffer.alloc(0);
const PCM_LAYOUT: WavLayout = { channels: 1, sampleRate: SPEECH_SAMPLE_RATE, bytesPerSample: 2, isFloat: false, dataStart: 0, dataBytes: null };

class PcmReader implements SampleReader {
  readonly #frames = new FrameReader(PCM_LAYOUT);

  push(bytes: Buffer): Int16Array {
    return this.#frames.push(bytes);
  }

  end(): Int16Array {
    return this.#frames.end();
  }
}

class WavReader implements SampleReader {
  #head: Buffer = NOTHING;
  #frames: FrameReader | null = null;
  /** Bytes of samples that are still to come; what follows them is no sound. */
  #left = Infinity;

  push(bytes: Buffer): Int16Array {
    if (this.#frames) return this.#read(this.#frames, bytes);
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const layout = readWavLayout(this.#head);
    if (!layout) return new Int16Array(0);
    this.#left = layout.dataBytes ?? Infinity;
    this.#frames = new FrameReader(layout);
    const first = this.#head.subarray(layout.dataStart);
    this.#head = NOTHING;
    return this.#read(this.#frames, first);
  }

  end(): Int16Array {
    if (!this.#frames) throw new WavUnreadable('It ends before its samples.');
    if (this.#left > 0 && this.#left !== Infinity) throw new WavUnreadable('It is shorter than it says.');
    return this.#frames.end();
  }

  #read(frames: FrameReader, bytes: Buffer): Int16Array {
    const sound = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= sound.length;
    return frames.push(sound);
  }
}

/** Frames of all channels to samples of one, at our rate. */
class FrameReader {
  readonly #frameBytes: number;
  readonly #resampler: Resampler | null;
  #rest: Buffer = NOTHING;

  constructor(private readonly layout: WavLayout) {
    this.#frameBytes = layout.channels * layout.bytesPerSample;
    this.#resampler = layout.sampleRate === SPEECH_SAMPLE_RATE ? null : new Resampler(layout.sampleRate, SPEECH_SAMPLE_RATE);
  }

  push(bytes: Buffer): Int16Array {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = joined.length - (joined.length % this.#frameBytes);
    this.#rest = Buffer.from(joined.subarray(whole));
    const frames = joined.subarray(0, whole);
    const { channels, bytesPerSample } = this.layout;
    if (!this.#resampler && channels === 1 && bytesPerSample === 2) return copyOf(frames);
    const mono = this.#mono(frames);
    return toInt16(this.#resampler ? this.#resampler.push(mono) : mono);
  }

  end(): Int16Array {
    return this.#resampler ? toInt16(this.#resampler.end()) : new Int16Array(0);
  }

  /** From -1 to 1; the mean of the channels. */
  #mono(frames: Buffer): Float64Array {
    const { channels, bytesPerSample } = this.layout;
    const mono = new Float64Array(frames.length / this.#frameBytes);
    for (let frame = 0; frame < mono.length; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += this.#sampleAt(frames, frame * this.#frameBytes + channel * bytesPerSample);
      mono[frame] = sum / channels;
    }
    return mono;
  }

  #sampleAt(frames: Buffer, at: number): number {
    const { bytesPerSample, isFloat } = this.layout;
    if (isFloat) return frames.readFloatLE(at);
    // WAV has 8 bits without a sign, and more with one.
    if (bytesPerSample === 1) return (frames.readUInt8(at) - 128) / 128;
    return frames.readIntLE(at, bytesPerSample) / 2 ** (8 * bytesPerSample - 1);
  }
}

/** All platforms that Node runs on are little-endian, as the samples are. */
function copyOf(frames: Buffer): Int16Array {
  const samples = new Int16Array(frames.length / 2);
  Buffer.from(samples.buffer).set(frames);
  return samples;
}

function toInt16(samples: Float64Array): Int16Array {
  const rounded = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as number;
    // What is no number is silence.
    rounded[index] = Number.isFinite(sample) ? Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))) : 0;
  }
  return rounded;
}
