import { describe, expect, test } from 'vitest';

import { countMissing, withoutDevelopment } from './installation.mjs';

const machine = { platform: 'linux', arch: 'x64' };
const locked = {
  '': { name: 'turnpike' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a-linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/a-darwin': { version: '1.0.0', optional: true, os: ['darwin'] },
};
const present = { 'node_modules/a': locked['node_modules/a'], 'node_modules/a-linux': locked['node_modules/a-linux'] };

describe('packages count as missing', () => {
  test('none, if all that fits this machine is there', () => {
    expect(countMissing(locked, present, machine)).toBe(0);
  });

  test('none, if only optional ones are absent, which npm leaves out where they do not install', () => {
    expect(countMissing(locked, { 'node_modules/a': { version: '1.0.0' } }, machine)).toBe(0);
  });

  test('all that are required, in a fresh clone', () => {
    expect(countMissing(locked, {}, machine)).toBe(1);
  });

  test('not, if only building needs them and nothing is to be built', () => {
    const withTool = { ...locked, 'node_modules/tool': { version: '1.0.0', dev: true } };
    expect([
      countMissing(withTool, present, machine),
      countMissing(withoutDevelopment(withTool), present, machine),
    ]).toEqual([1, 0]);
  });

  test('if another version is installed', () => {
    expect(countMissing(locked, { ...present, 'node_modules/a': { version: '0.9.0' } }, machine)).toBe(1);
  });

  test('if they were installed for another machine', () => {
    expect(countMissing(locked, present, { platform: 'linux', arch: 'arm64' })).toBe(1);
    expect(
      countMissing(locked, { ...present, 'node_modules/a-darwin': locked['node_modules/a-darwin'] }, machine),
    ).toBe(1);
  });

  test('not, if a platform is excluded by name and this is another', () => {
    const notWindows = { 'node_modules/b': { version: '1.0.0', os: ['!win32'] } };
    expect(countMissing(notWindows, notWindows, machine)).toBe(0);
    expect(countMissing(notWindows, notWindows, { platform: 'win32', arch: 'x64' })).toBe(1);
  });
});
