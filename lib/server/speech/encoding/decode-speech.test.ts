import { describe, expect, it } from 'vitest';
import { AudioUnreadableError, decodeSpeech } from './decode-speech';
import { wavHeader } from '@/lib/protocol/speech/wav-header';

interface Wav {
  rate?: number;
  channels?: number;
  bits?: number;
  tag?: number;
  before?: Buffer;
  dataBytes?: number;
}

/** Builds a WAV file from a function of time in seconds. */
function wav(
  seconds: number,
  level: (t: number) => number,
  { rate = 24_000, channels = 1, bits = 16, tag = 1, before = Buffer.alloc(0), dataBytes }: Wav = {},
): Buffer {
  const bytes = bits / 8;
  const frames = Math.round(seconds * rate);
  const data = Buffer.alloc(frames * channels * bytes);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let channel = 0; channel < channels; channel += 1)
      write(data, (frame * channels + channel) * bytes, level(frame / rate), bits, tag);
  }
  const header = Buffer.alloc(36);
  header.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * bytes, 28);
  header.writeUInt16LE(channels * bytes, 32);
  header.writeUInt16LE(bits, 34);
  const dataHeader = Buffer.from('data\0\0\0\0', 'latin1');
  dataHeader.writeUInt32LE(dataBytes ?? data.length, 4);
  return Buffer.concat([header, before, dataHeader, data]);
}

function write(data: Buffer, at: number, level: number, bits: number, tag: number): void {
  if (tag === 3 && bits === 32) data.writeFloatLE(level, at);
  else if (tag === 3) data.writeDoubleLE(level, at);
  else if (bits === 8) data.writeUInt8(Math.round(level * 127) + 128, at);
  else data.writeIntLE(Math.round(level * (2 ** (bits - 1) - 1)), at, bits / 8);
}

const hum = (t: number) => 0.5 * Math.sin(2 * Math.PI * 300 * t);

async function* pieces(bytes: Buffer, length = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function decoded(bytes: AsyncIterable<Uint8Array>): Promise<Int16Array> {
  const parts: number[] = [];
  for await (const part of decodeSpeech(bytes)) parts.push(...part);
  return Int16Array.from(parts);
}

function expectHum(samples: Int16Array, seconds: number, tolerance: number): void {
  expect(samples.length).toBe(Math.round(seconds * 24_000));
  for (let at = 600; at < samples.length - 600; at += 7)
    expect(Math.abs((samples[at] ?? 0) / 32_768 - hum(at / 24_000))).toBeLessThan(tolerance);
}

describe('decodeSpeech reads', () => {
  it.each([
    { rate: 24_000, bits: 16 },
    { rate: 22_050, bits: 16 },
    { rate: 44_100, bits: 16, channels: 2 },
    { rate: 48_000, bits: 24, channels: 2 },
    { rate: 16_000, bits: 32 },
    { rate: 8_000, bits: 8 },
    { rate: 32_000, bits: 32, tag: 3 },
    { rate: 96_000, bits: 64, tag: 3, channels: 6 },
  ])('$rate Hz, $bits bits, coding $tag, $channels channels', async (layout) => {
    expectHum(await decoded(pieces(wav(0.2, hum, layout))), 0.2, layout.bits === 8 ? 0.02 : 0.002);
  });

  it('the same from single bytes', async () => {
    const file = wav(0.02, hum, { rate: 44_100, channels: 2 });
    expect(await decoded(pieces(file, 1))).toEqual(await decoded(pieces(file)));
  });

  it.each([0, 0xffffffff, 0x7fffffff, 1_000_000_000, 2_000_000_000, 0xfffffffe])(
    'a stream whose size is %i, to its end',
    async (dataBytes) => {
      expectHum(await decoded(pieces(wav(0.1, hum, { dataBytes }), 999)), 0.1, 0.001);
    },
  );

  it('what it wrote itself', async () => {
    const samples = Int16Array.of(1, -2, 3, 32_767, -32_768);
    for (const count of [5, null])
      expect(await decoded(pieces(Buffer.concat([wavHeader(count), Buffer.from(samples.buffer)]), 7))).toEqual(samples);
  });

  it('past other chunks, also of odd length, and not beyond the samples', async () => {
    const before = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    expectHum(
      await decoded(pieces(Buffer.concat([wav(0.1, hum, { before }), Buffer.from('LIST\x04\0\0\0abcd', 'latin1')]))),
      0.1,
      0.001,
    );
  });

  it('raw samples, and drops half of one at the end', async () => {
    expect(await decoded(pieces(Buffer.from([1, 0, 2, 0, 3, 0, 9]), 3))).toEqual(Int16Array.of(1, 2, 3));
    expect(await decoded(pieces(Buffer.from([0x52, 0x49])))).toEqual(Int16Array.of(0x4952));
  });

  it('nothing as nothing', async () => {
    expect(await decoded(pieces(Buffer.alloc(0)))).toHaveLength(0);
    expect(await decoded(pieces(Buffer.from(wavHeader(null))))).toHaveLength(0);
  });

  it('floats that are no numbers as silence, and too loud ones cut', async () => {
    const file = wav(0.001, (t) => (t === 0 ? Number.NaN : 3), { bits: 32, tag: 3 });
    expect([...(await decoded(pieces(file)))].slice(0, 3)).toEqual([0, 32_767, 32_767]);
  });
});

describe('decodeSpeech refuses', () => {
  const good = wav(0.1, hum);
  const changed = (at: number, value: number) => {
    const file = Buffer.from(good);
    file.writeUInt16LE(value, at);
    return file;
  };

  it.each([
    ['a file that ends early', good.subarray(0, -10)],
    ['a header that ends early', good.subarray(0, 30)],
    ['a WAV marker alone', good.subarray(0, 8)],
    ['another RIFF file', Buffer.from('RIFF\0\0\0\0AVI LIST\0\0\0\0', 'latin1')],
    ['samples before their format', Buffer.from('RIFF\0\0\0\0WAVEdata\x04\0\0\0abcd', 'latin1')],
    ['a coding that it does not know', changed(20, 0x55)],
    ['no channels', changed(22, 0)],
    ['too many channels', changed(22, 9)],
    ['a rate of almost nothing', changed(24, 10)],
    ['12 bits', changed(34, 12)],
    ['a chunk without an end', Buffer.from('RIFF\0\0\0\0WAVEjunk\xff\xff\xff\x7f', 'latin1')],
    [
      'endless small chunks',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), Buffer.from('junk\0\0\0\0'.repeat(9_000), 'latin1')]),
    ],
  ])('%s', async (_, file) => {
    await expect(decoded(pieces(file, 1_000))).rejects.toThrow(AudioUnreadableError);
  });
});

it('looks at each chunk before the samples once, however the file is cut', async () => {
  /** CPU milliseconds to decode this many empty chunks byte by byte. */
  const cpuMsOf = async (chunks: number): Promise<number> => {
    const file = Buffer.from(`RIFF\0\0\0\0WAVE${'JUNK\0\0\0\0'.repeat(chunks)}`, 'latin1');
    async function* bytes() {
      for (let at = 0; at < file.length; at++) yield file.subarray(at, at + 1);
    }
    const before = process.cpuUsage();
    await expect(decodeSpeech(bytes()).next()).rejects.toThrow(AudioUnreadableError);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  await cpuMsOf(500);
  const [short, long] = [await cpuMsOf(500), await cpuMsOf(4_000)];
  // Linear time would take 8 times as long, and quadratic time 64 times.
  expect(long / Math.max(short, 1)).toBeLessThan(30);
});
