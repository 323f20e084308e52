import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../sandbox-under-test';
import { StateFile } from './state-file';

let folder: string;
let file: StateFile;
beforeEach(() => {
  folder = temporaryFolder();
  file = new StateFile(folder);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (text: string) => fs.writeFileSync(file.path, text);
const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');

describe('StateFile', () => {
  it('copies a whole state once, and again when it has changed', async () => {
    write('{"block":1}');
    expect([await file.checkpoint(), await file.checkpoint()]).toEqual([true, false]);
    write('{"block":2}');
    expect(await file.checkpoint()).toBe(true);
    expect(read('checkpoint.json')).toBe('{"block":2}');
  });

  it.each(['', '{"block":', '{"accounts":{}'])('never replaces a checkpoint by the half-written %j', async (half) => {
    write('{"block":1}');
    await file.checkpoint();
    write(half);
    expect(await file.checkpoint()).toBe(false);
    expect(read('checkpoint.json')).toBe('{"block":1}');
  });

  it('has nothing to copy before the first state', async () => {
    expect(await file.checkpoint()).toBe(false);
  });

  it('keeps a refused state and puts the checkpoint in its place', async () => {
    write('{"block":1}');
    await file.checkpoint();
    write('{"blo');
    const { keptAs, restored } = await file.setAside();
    expect(restored).toBe(true);
    expect([read('state.json'), read(keptAs)]).toEqual(['{"block":1}', '{"blo']);
  });

  it('does not offer a checkpoint that is the refused state itself', async () => {
    write('{"block":1}');
    await file.checkpoint();
    expect((await file.setAside()).restored).toBe(false);
    expect(fs.existsSync(file.path)).toBe(false);
  });

  it('is infinitely old before it is written', async () => {
    expect(await file.ageMs()).toBe(Infinity);
    write('{}');
    expect(await file.ageMs()).toBeLessThan(5_000);
  });
});
