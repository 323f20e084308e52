import { describe, expect, it } from 'vitest';
import { adminListenerOf } from './load';
import type { Environment } from './environment';
import { Faults } from './faults';

function read(env: Environment) {
  const faults = new Faults();
  return { listener: adminListenerOf(env, faults), faults: [...faults.keys()] };
}

const TOKEN = 't'.repeat(16);

describe('the listener for metrics', () => {
  it('is nowhere unless ADMIN_PORT asks for it, and then on the loopback, without a token', () => {
    expect(read({})).toEqual({ listener: null, faults: [] });
    expect(read({ ADMIN_PORT: '9464' })).toMatchObject({
      listener: { port: 9464, host: '127.0.0.1', token: null },
      faults: [],
    });
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'metrics.example'])('needs a token where others reach it: %s', (ADMIN_HOST) => {
    expect(read({ ADMIN_PORT: '9464', ADMIN_HOST }).faults).toEqual(['ADMIN_TOKEN']);
    const { listener, faults } = read({ ADMIN_PORT: '9464', ADMIN_HOST, ADMIN_TOKEN: TOKEN });
    expect([listener?.token?.reveal(), faults]).toEqual([TOKEN, []]);
  });

  it.each(['x', '65536', '-1', '80 ', '1e3'])('refuses the port %j', (ADMIN_PORT) => {
    expect(read({ ADMIN_PORT }).faults).toEqual(['ADMIN_PORT']);
  });

  it('refuses a token that is short, or cannot be sent', () => {
    for (const token of ['short', 'a token with some blanks'])
      expect(read({ ADMIN_PORT: '9464', ADMIN_TOKEN: token }).faults).toEqual(['ADMIN_TOKEN']);
  });
});
