import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { letGo } from './node-adapter';

it('frees a chunk with its own buffer after its sender has finished with it', async () => {
  const chunk = new Uint8Array(64 * 1024).fill(1);
  letGo(chunk);
  expect(chunk[0]).toBe(1);
  await turn();
  expect([chunk.byteLength, chunk.buffer.byteLength]).toEqual([0, 0]);
});

it('leaves memory alone that is shared with others', async () => {
  const whole = new Uint8Array(1_024).fill(1);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  for (const part of [whole.subarray(0, 512), whole.subarray(512), shared]) letGo(part);
  await turn();
  expect([whole.byteLength, whole[1_023], shared.byteLength]).toEqual([1_024, 1, 8]);
});

it('takes a chunk that is given twice', async () => {
  const chunk = new Uint8Array(16);
  letGo(chunk);
  letGo(chunk);
  await turn();
  expect(chunk.byteLength).toBe(0);
});
