import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { CLOSED_PIPE, endAtClosedPipe } from './program';

it('a program ends at a closed pipe, and still fails for another fault of its output', () => {
  const output = new PassThrough();
  const ends: number[] = [];
  endAtClosedPipe([output], (code) => ends.push(code));
  expect(() => output.emit('error', Object.assign(new Error('disk full'), { code: 'ENOSPC' }))).toThrow('disk full');
  output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(ends).toEqual([CLOSED_PIPE]);
});
