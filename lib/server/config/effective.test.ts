import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { goodEnv, goodLive } from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { effectiveValues } from './effective';
import { readConfig } from './load';

function valuesOf(file: unknown, env: Record<string, string>) {
  const folder = tempFolder();
  writeFileSync(join(folder, 'turnpike.config.json'), JSON.stringify(file));
  const { config, source } = readConfig(env, folder);
  const values = effectiveValues(config, source);
  return { values, of: (path: string) => values.find((each) => each.path === path) };
}

it('each value in use has its origin: default, profile, file, environment, or a file with a variable in it', () => {
  const { of } = valuesOf(
    { ...goodLive, dataDir: '/data/${PLACE}' },
    {
      ...goodEnv,
      PLACE: 'here',
      RPC_ETHEREUM_MAINNET: 'https://e.example/k3y,https://f.example',
      LOG_LEVEL: 'warn',
      PORT: '8080',
    },
  );
  expect(of('pricePerCreditUsd')).toEqual({
    path: 'pricePerCreditUsd',
    value: '0.0000007',
    origin: 'default',
    variables: [],
  });
  expect(of('limits.publicRequestsPerMinutePerIp')).toMatchObject({ value: 30, origin: 'profile' });
  expect(of('limits.requestsPerMinute')).toMatchObject({ value: 600, origin: 'default' });
  expect(of('trustProxyHops')).toMatchObject({ value: 1, origin: 'file', variables: [] });
  expect(of('profile')).toMatchObject({ value: 'live', origin: 'environment', variables: ['TURNPIKE_PROFILE'] });
  expect(of('log.level')).toMatchObject({ value: 'warn', origin: 'environment', variables: ['LOG_LEVEL'] });
  expect(of('dataDir')).toMatchObject({ value: '[secret]', origin: 'file', variables: ['PLACE'] });
  expect(of('networks.ethereum-mainnet.upstreams[0]')).toMatchObject({
    value: 'https://e.example/[secret]',
    origin: 'environment',
    variables: ['RPC_ETHEREUM_MAINNET'],
  });
  expect(of('networks.ethereum-mainnet.upstreams[1]')).toMatchObject({ value: 'https://f.example' });
  expect(of('networks.base-mainnet.upstreams[0].headers.authorization')).toMatchObject({
    value: '[secret]',
    origin: 'file',
    variables: ['BASE_TOKEN'],
  });
  expect(of('PORT')).toMatchObject({ value: '8080', origin: 'environment' });
  expect(of('HOST')).toMatchObject({ value: '127.0.0.1', origin: 'default' });
  expect(of('TURNPIKE_SECRET')).toMatchObject({ value: '[secret]', origin: 'environment' });
});

it('a value that stood in a file of its own has the variable that named the file, which is what somebody would change', () => {
  const folder = tempFolder();
  const fileOf = (name: string, value: string) => {
    writeFileSync(join(folder, name), value);
    return join(folder, name);
  };
  const { BASE_TOKEN: _token, TURNPIKE_SECRET: _secret, ...env } = goodEnv as Record<string, string>;
  const { of } = valuesOf(goodLive, {
    ...env,
    BASE_TOKEN_FILE: fileOf('token', 't0ken'),
    TURNPIKE_SECRET_FILE: fileOf('secret', 'k3y'.repeat(20)),
    RPC_ETHEREUM_MAINNET_FILE: fileOf('nodes', 'https://e.example/k3y'),
  });
  expect(of('TURNPIKE_SECRET')).toMatchObject({
    value: '[secret]',
    origin: 'environment',
    variables: ['TURNPIKE_SECRET_FILE'],
  });
  expect(of('networks.base-mainnet.upstreams[0].headers.authorization')).toMatchObject({
    value: '[secret]',
    origin: 'file',
    variables: ['BASE_TOKEN_FILE'],
  });
  expect(of('networks.ethereum-mainnet.upstreams[0]')).toMatchObject({
    value: 'https://e.example/[secret]',
    origin: 'environment',
    variables: ['RPC_ETHEREUM_MAINNET_FILE'],
  });
});

it('no secret is in it', () => {
  const env = {
    ...goodEnv,
    BASE_TOKEN: 'k3y-one',
    VIDEO_KEY: 'k3y-two',
    TURNPIKE_SECRET: 'k3y'.repeat(20),
    TURNPIKE_OPERATOR_KEY: 'k3y'.repeat(11),
    DATABASE_URL: 'postgres://u:k3y@db.example/x',
    CHAT_UPSTREAM_URL: 'https://u:k3y@m.example/v1',
    CHAT_UPSTREAM_KEY: 'k3y',
    RPC_BLAST_MAINNET: 'https://b.example/v2/k3y?x=k3y',
  };
  const file = {
    ...goodLive,
    payments: {
      rails: [
        { ...goodLive.payments.rails[0], facilitator: { url: 'https://f.example/k3y', headers: { 'x-k': 'k3y' } } },
      ],
    },
  };
  const { values } = valuesOf(file, env);
  expect(values.length).toBeGreaterThan(100);
  expect(JSON.stringify(values)).not.toContain('k3y');
});
