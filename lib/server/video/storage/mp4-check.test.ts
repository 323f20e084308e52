import { describe, expect, it } from 'vitest';
import { boxedMedia } from '@/test/scripted-studio';
import { Mp4Check } from './mp4-check';

function verdict(file: Buffer, partBytes: number): string | null {
  const check = new Mp4Check();
  for (let at = 0; at < file.length; at += partBytes) check.add(file.subarray(at, at + partBytes));
  return check.end();
}

/** Builds a box with a 64-bit size (ISO/IEC 14496-12, 4.2). */
function largeBox(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(1);
  header.write(type, 4, 'latin1');
  header.writeBigUInt64BE(BigInt(16 + content.length), 8);
  return Buffer.concat([header, content]);
}

const parts = [1, 7, 8, 9, 15, 16, 17, 100, 10_000];

describe('an MP4 that is whole', () => {
  it.each(parts)('is taken for one, in parts of %i bytes', (partBytes) => {
    expect(verdict(boxedMedia(), partBytes)).toBeNull();
    expect(
      verdict(
        Buffer.concat([boxedMedia(), largeBox('free', Buffer.alloc(20)), largeBox('mdat', Buffer.alloc(0))]),
        partBytes,
      ),
    ).toBeNull();
  });
});

describe('anything else', () => {
  it.each(parts)('is not, in parts of %i bytes', (partBytes) => {
    const whole = boxedMedia();
    for (const length of [1, 7, 8, 20, 100, whole.length - 1])
      expect(verdict(whole.subarray(0, length), partBytes)).toMatch(/\.$/);
    expect(verdict(Buffer.alloc(0), partBytes)).toMatch(/no box ftyp/);
    expect(verdict(whole.subarray(20), partBytes)).toMatch(/not an MP4|cut off/);
    expect(verdict(Buffer.from('<!doctype html><title>502 Bad Gateway</title>'), partBytes)).toMatch(/not an MP4/);
    expect(verdict(Buffer.concat([whole, Buffer.from([0, 0, 0, 3, 0x66, 0x72, 0x65, 0x65])]), partBytes)).toMatch(
      /not an MP4/,
    );
  });
});
