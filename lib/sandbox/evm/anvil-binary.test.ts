import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { anvilBinary } from './anvil-process';

describe('anvilBinary', () => {
  it('is the executable itself and no script around it', () => {
    const binary = anvilBinary();
    expect(binary).not.toMatch(/\.m?js$/);
    expect(execFileSync(binary, ['--version'], { encoding: 'utf8' })).toMatch(/^anvil/);
  });

  it('says in a sentence that a platform has no build', () => {
    expect(() => anvilBinary('sunos', 'x64')).toThrow(/no build of anvil for sunos on x64/);
  });

  it('names the package that is missing', () => {
    expect(() => anvilBinary('win32', 'x64')).toThrow(/@foundry-rs\/anvil-win32-amd64 is not installed/);
  });
});
