import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVM_RECEIVER, LIVE_SECRET, SOLANA_RECEIVER } from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { ConfigError, loadConfig } from './load';

const KEY = 'k'.repeat(32);

function read(operators: unknown, env: Record<string, string> = {}) {
  const folder = tempFolder();
  writeFileSync(
    join(folder, 'turnpike.config.json'),
    JSON.stringify({ profile: 'live', ...(operators !== undefined && { operators }) }),
  );
  writeFileSync(join(folder, 'key'), `${KEY}\n`);
  return loadConfig(
    {
      TURNPIKE_SECRET: LIVE_SECRET,
      ...env,
      ...(env.TURNPIKE_OPERATOR_KEY_FILE && { TURNPIKE_OPERATOR_KEY_FILE: join(folder, 'key') }),
    },
    folder,
  ).operators;
}

function faultsOf(operators: unknown, env: Record<string, string> = {}): readonly string[] {
  try {
    read(operators, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('who is an operator', () => {
  it('is nobody unless it is configured', () => {
    expect(read(undefined)).toEqual({ wallets: new Set(), key: null });
  });

  it('are wallets of either family, in any case, and the key, from the environment or a file', () => {
    const { wallets } = read([EVM_RECEIVER, SOLANA_RECEIVER]);
    expect([...wallets]).toEqual([EVM_RECEIVER.toLowerCase(), SOLANA_RECEIVER]);
    expect(read([], { TURNPIKE_OPERATOR_KEY: KEY }).key?.reveal()).toBe(KEY);
    expect(read([], { TURNPIKE_OPERATOR_KEY_FILE: 'key' }).key?.reveal()).toBe(KEY);
  });

  it.each([
    ['a wallet with a wrong checksum', [EVM_RECEIVER.replace('aAeb', 'aaeb')], {}, /^operators\[0\]: .*EIP-55/],
    ['a wallet that is zero', [`0x${'0'.repeat(40)}`], {}, /^operators\[0\]: .*zero address/],
    ['what is no address', ['operator@example.com'], {}, /^operators\[0\]: .*base58/],
    ['a wallet twice, in another case', [EVM_RECEIVER, EVM_RECEIVER.toLowerCase()], {}, /^operators\[1\]: .*twice/],
    ['one text', EVM_RECEIVER, {}, /^operators: .*array/],
    ['a short key', [], { TURNPIKE_OPERATOR_KEY: 'short' }, /^TURNPIKE_OPERATOR_KEY: .*32/],
    ['a key that cannot be sent', [], { TURNPIKE_OPERATOR_KEY: `${KEY} ${KEY}` }, /^TURNPIKE_OPERATOR_KEY: .*spaces/],
    ['the secret that signs', [], { TURNPIKE_OPERATOR_KEY: LIVE_SECRET }, /^TURNPIKE_OPERATOR_KEY: .*TURNPIKE_SECRET/],
  ])('cannot be %s', (_what, operators, env, sentence) => {
    expect(faultsOf(operators, env)).toEqual([expect.stringMatching(sentence)]);
  });
});
