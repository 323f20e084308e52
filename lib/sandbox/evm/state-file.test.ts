import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../sandbox-under-test';
import { StateFile } from './durable-state';

let folder: string;
let file: StateFile;
beforeEach(() => {
  folder = temporaryFolder();
  file = new StateFile(folder);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');

describe('StateFile', () => {
  it('gives back what was written last', async () => {
    await file.write(gzipSync('{"block":1}'));
    await file.write(gzipSync('{"block":2}'));
    expect(fs.readFileSync((await file.unpack()) ?? '', 'utf8')).toBe('{"block":2}');
  });

  it('has nothing to load before the first state', async () => {
    expect(await file.unpack()).toBeUndefined();
  });

  it('takes no notice of a write that was cut short', async () => {
    await file.write(gzipSync('{"block":1}'));
    fs.writeFileSync(`${file.path}.new`, gzipSync('{"block":2}').subarray(0, 9));
    expect(fs.readFileSync((await file.unpack()) ?? '', 'utf8')).toBe('{"block":1}');
  });

  it('loads a state that an earlier version left, and prefers its own', async () => {
    fs.writeFileSync(path.join(folder, 'state.json'), '{"block":1}');
    expect(fs.readFileSync((await file.unpack()) ?? '', 'utf8')).toBe('{"block":1}');
    await file.write(gzipSync('{"block":2}'));
    expect(fs.readFileSync((await file.unpack()) ?? '', 'utf8')).toBe('{"block":2}');
  });

  it('keeps a refused state beside, whatever it is, and has none from then on', async () => {
    await file.write(Buffer.from('no gzip'));
    await file.unpack();
    const keptAs = await file.setAside();
    expect(read(keptAs)).toBe('no gzip');
    expect(await file.unpack()).toBeUndefined();
  });
});
