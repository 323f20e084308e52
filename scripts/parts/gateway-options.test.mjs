import { afterEach, describe, expect, test, vi } from 'vitest';

import { UsageError } from './command-line.mjs';
import { adminOptionsFor, gatewayEnvironment } from './gateway-options.mjs';

afterEach(() => vi.unstubAllEnvs());

describe('the options of a start', () => {
  test('name files from where they were typed, though npm runs in the repository', () => {
    vi.stubEnv('INIT_CWD', '/home/me');
    const { env } = gatewayEnvironment({ config: 'my.json', data: '../state' });
    expect(env).toMatchObject({ TURNPIKE_CONFIG: '/home/me/my.json', TURNPIKE_DATA_DIR: '/home/state' });
  });

  test('leave alone what they do not name', () => {
    vi.stubEnv('PORT', '4100');
    vi.stubEnv('HOST', '');
    expect(gatewayEnvironment({}).env).toEqual({ PORT: '4100', HOST: '127.0.0.1' });
  });

  test('refuse a profile that does not exist', () => {
    expect(() => gatewayEnvironment({ profile: 'prod' })).toThrow(UsageError);
  });
});

test('the admin command is told what is not where it usually is, quoted for a shell', () => {
  expect(adminOptionsFor({})).toBe('');
  expect(adminOptionsFor({ TURNPIKE_DATA_DIR: '/srv/data', TURNPIKE_CONFIG: "/srv/it's mine.json" })).toBe(
    "--data /srv/data --config '/srv/it'\\''s mine.json'",
  );
});
