import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RpcNetworks } from '../upstreams/nodes/networks';
import { tempFolder } from '@/test/temp-folder';
import { ConfigError, loadConfig } from './load';

const SECRET = 's'.repeat(32);

function load(file?: unknown, env: Record<string, string> = {}) {
  const folder = tempFolder();
  if (file !== undefined)
    writeFileSync(join(folder, 'turnpike.config.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return loadConfig(env, folder);
}

function faultsOf(file?: unknown, env: Record<string, string> = {}): readonly string[] {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

const urls = (config: ReturnType<typeof loadConfig>, slug: string) =>
  config.networks[slug]?.upstreams.map(({ url }) => url.reveal());

describe('defaults', () => {
  it('every field has one: no file and no environment make a sandbox', () => {
    const config = load();
    expect(config).toMatchObject({
      profile: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      secret: null,
      networks: {},
      pricePerCreditUsd: '0.0000007',
    });
    expect(config.limits).toEqual({
      rpcRequestsPerMinute: { standard: 100, paid: 100, staff: 1_000 },
      rpcCreditsPerDay: { standard: 10_000_000, paid: 10_000_000, staff: null },
      requestsPerMinute: 600,
      publicRequestsPerMinutePerIp: 600,
      consoleRequestsPerMinutePerIp: 600,
      strangerRequestsPerMinutePerIp: 6_000,
      attestationsPerMinutePerIp: 600,
      strangerAttestationsPerMinute: 120,
      attestationsAtATime: 4,
      contractSignaturesPerMinutePerIp: 600,
    });
  });

  it('limits by address are tight in live, where callers do not share one', () => {
    const live = { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: 's'.repeat(32) };
    expect(load({}, live).limits).toMatchObject({
      publicRequestsPerMinutePerIp: 30,
      consoleRequestsPerMinutePerIp: 120,
      contractSignaturesPerMinutePerIp: 30,
      strangerRequestsPerMinutePerIp: 300,
      attestationsPerMinutePerIp: 30,
      strangerAttestationsPerMinute: 30,
    });
    expect(load({ limits: { publicRequestsPerMinutePerIp: 7 } }, live).limits).toMatchObject({
      publicRequestsPerMinutePerIp: 7,
      consoleRequestsPerMinutePerIp: 120,
    });
  });

  it('of a part that is given remain for the rest of it', () => {
    const { limits, rpc } = load({ limits: { rpcRequestsPerMinute: { paid: 5 } }, rpc: { timeoutMs: 50 } });
    expect(limits.rpcRequestsPerMinute).toEqual({ standard: 100, paid: 5, staff: 1_000 });
    expect(rpc).toMatchObject({ timeoutMs: 50, connectTimeoutMs: 5_000, extraMethods: [] });
  });
});

describe('every fault names the path of its field', () => {
  it.each([
    [{ profile: 'test' }, /^profile: .*"sandbox".*"live"/],
    [{ unknown: 1 }, /^unknown: is not a field of the configuration \(its fields are /],
    [{ dataDir: '' }, /^dataDir: /],
    [{ publicUrls: ['https://a', 'nonsense'] }, /^publicUrls\[1\]: Must be an http/],
    [{ publicUrls: ['ftp://a'] }, /^publicUrls\[0\]: /],
    [{ trustProxyHops: -1 }, /^trustProxyHops: /],
    [{ trustProxyHops: 1.5 }, /^trustProxyHops: /],
    [{ pricePerCreditUsd: 0.7 }, /^pricePerCreditUsd: /],
    [{ pricePerCreditUsd: '007' }, /^pricePerCreditUsd: .*decimal/],
    [{ pricePerCreditUsd: '0.0000000001' }, /^pricePerCreditUsd: .*decimal/],
    [{ pricePerCreditUsd: '1.000000001' }, /^pricePerCreditUsd: .*1 USD/],
    [{ limits: { rpcRequestsPerMinute: { paid: 0 } } }, /^limits\.rpcRequestsPerMinute\.paid: /],
    [
      { limits: { rpcCreditsPerDay: { gold: 1 } } },
      /^limits\.rpcCreditsPerDay\.gold: is not a field .*standard, paid, staff/,
    ],
    [{ rpc: { timeoutMs: '30s' } }, /^rpc\.timeoutMs: /],
    [{ log: { level: 'loud' } }, /^log\.level: /],
    [{ networks: { 'ethereum-mainet': {} } }, /^networks\.ethereum-mainet: Must be a network slug/],
    [{ networks: { Ethereum: {} } }, /^networks\.Ethereum: /],
    [{ networks: { [`${'x'.repeat(57)}-mainnet`]: {} } }, /^networks\.x+-mainnet: Must be a network slug/],
    [{ networks: { 'a--b-mainnet': {} } }, /^networks\.a--b-mainnet: /],
    [
      { networks: { 'ethereum-mainnet': { upstreams: ['https://a', 'localhost:8545'] } } },
      /^networks\.ethereum-mainnet\.upstreams\[1\]: Must be an http/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: ['https://us%zzer@a'] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]: Must be an http/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [{ url: 'ws://a' }] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]\.url: Must be an http/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [{ url: 'https://a', headers: { 'a b': 'x' } }] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]\.headers\.a b: Must be the name of a header/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [{ url: 'https://a', headers: { a: 'x\ny' } }] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]\.headers\.a: .*line breaks/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [7] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]: Must be a URL, or an object/,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [{ headers: {} }] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]\.url: /,
    ],
    [
      { networks: { 'ethereum-mainnet': { upstreams: [{ url: 'https://a', uri: 'x' }] } } },
      /^networks\.ethereum-mainnet\.upstreams\[0\]\.uri: is not a field .*url/,
    ],
    [{ networks: { 'ethereum-mainnet': { baseCredits: 5 } } }, /^networks\.ethereum-mainnet\.baseCredits: .*built in/],
    [{ networks: { 'sandbox-testnet': { chainId: 5 } } }, /^networks\.sandbox-testnet\.chainId: .*built in/],
    [{ networks: { 'gnosis-mainnet': { chainId: 0 } } }, /^networks\.gnosis-mainnet\.chainId: /],
    [{ networks: { 'gnosis-mainnet': { baseCredits: 10_001 } } }, /^networks\.gnosis-mainnet\.baseCredits: /],
    [{ rpc: { extraMethods: [{ name: 'a b', kind: 'evm', tier: 'large' }] } }, /^rpc\.extraMethods\[0\]\.name: /],
    [{ rpc: { extraMethods: [{ name: 'my_method', kind: 'evm', tier: 'free' }] } }, /^rpc\.extraMethods\[0\]\.tier: /],
    [
      {
        rpc: {
          extraMethods: [
            { name: 'my_method', kind: 'evm', tier: 'large' },
            { name: 'eth_call', kind: 'evm', tier: 'large' },
          ],
        },
      },
      /^rpc\.extraMethods\[1\]\.name: .*on the built-in list/,
    ],
    [
      { rpc: { extraMethods: [{ name: 'eth_newFilter', kind: 'evm', tier: 'large' }] } },
      /^rpc\.extraMethods\[0\]\.name: .*filter/,
    ],
    [
      { rpc: { extraMethods: [{ name: 'eth_sign', kind: 'evm', tier: 'large' }] } },
      /^rpc\.extraMethods\[0\]\.name: .*key-holding/,
    ],
    [
      { rpc: { extraMethods: [{ name: 'logsSubscribe', kind: 'solana', tier: 'large' }] } },
      /^rpc\.extraMethods\[0\]\.name: .*websocket/,
    ],
    [
      { rpc: { extraMethods: ['x', 'x'].map((name) => ({ name, kind: 'evm', tier: 'large' })) } },
      /^rpc\.extraMethods\[1\]\.name: .*twice/,
    ],
  ])('%j', (file, fault) => {
    expect(faultsOf(file)).toEqual([expect.stringMatching(fault)]);
  });

  it('and all faults are named at once, those of the environment too', () => {
    const file = { profile: 'live', networks: { 'base-mainnet': { upstreams: ['${NOT_SET}'] } }, trustProxyHops: 99 };
    expect(
      faultsOf(file, { PORT: 'x', RPC_BASE_SEPOLIA: 'nonsense' })
        .map((fault) => fault.split(':')[0])
        .sort(),
    ).toEqual([
      'PORT',
      'RPC_BASE_SEPOLIA[0]',
      'TURNPIKE_SECRET',
      'networks.base-mainnet.upstreams[0]',
      'trustProxyHops',
    ]);
  });
});

describe('the file', () => {
  it('named by TURNPIKE_CONFIG must be there', () => {
    expect(faultsOf(undefined, { TURNPIKE_CONFIG: 'other.json' })).toEqual([
      expect.stringMatching(/other\.json: cannot be read \(ENOENT\)/),
    ]);
  });

  it.each(['[]', 'null', '1', '"x"'])('holding %s is refused', (text) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining('expected a JSON object')]);
  });

  it.each([
    ['{\n  "profile": sandbox\n}', 'line 2, column 14'],
    ['{\n  "a": 1,\n}', 'line 3, column 1'],
    ['{"a": 1', 'line 1, column 8'],
    ['{} x', 'line 1, column 4'],
    ['{"a": "x\ny"}', 'line 1, column 9'],
  ])('that is no JSON is refused with the place: %j', (text, place) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(`is not valid JSON at ${place}`)]);
  });

  it('that is no JSON is not quoted: secrets may stand beside the fault', () => {
    expect(faultsOf('{"networks": {"a-mainnet": {"upstreams": ["https://k3y"x]}}}').join()).not.toContain('k3y');
  });
});

describe('${NAME}', () => {
  it('is replaced in any string, also twice and in the middle', () => {
    const file = {
      networks: {
        'base-mainnet': {
          upstreams: ['https://${HOST_A}/${KEY}/${KEY}', { url: '${WHOLE}', headers: { 'X-Key': 'k ${KEY}' } }],
        },
      },
    };
    const config = load(file, { HOST_A: 'a', KEY: '$&', WHOLE: 'http://b' });
    expect(urls(config, 'base-mainnet')).toEqual(['https://a/$&/$&', 'http://b']);
    expect(config.networks['base-mainnet']?.upstreams[1]?.headers['x-key']?.reveal()).toBe('k $&');
  });

  it('that is not set is a fault at the field that uses it, and each of them', () => {
    const file = { dataDir: '${A}', networks: { 'base-mainnet': { upstreams: ['https://x', '${B}'] } } };
    expect(faultsOf(file)).toEqual([
      'dataDir: the environment variable A is not set',
      'networks.base-mainnet.upstreams[1]: the environment variable B is not set',
    ]);
  });

  it('is not read in $${NAME}, which stands for itself, nor where no name could follow', () => {
    expect(load({ dataDir: '/x/$${A}/$$A/$1/$/a$' }).dataDir).toBe('/x/${A}/$A/$1/$/a$');
  });
});

describe('the environment', () => {
  it('goes before the file', () => {
    const file = { profile: 'live', dataDir: 'a', publicUrls: ['https://a'], log: { level: 'warn' } };
    const env = {
      TURNPIKE_PROFILE: 'sandbox',
      TURNPIKE_DATA_DIR: '/b',
      PUBLIC_URL: 'https://b, https://c',
      LOG_LEVEL: 'silent',
      HOST: '0.0.0.0',
      PORT: '0',
    };
    expect(load(file, env)).toMatchObject({
      profile: 'sandbox',
      dataDir: '/b',
      publicUrls: ['https://b', 'https://c'],
      log: { level: 'silent' },
      host: '0.0.0.0',
      port: 0,
    });
  });

  it('LOG_LEVEL leaves the other log settings of the file as they are', () => {
    const { log } = load({ log: { level: 'warn', requests: { share: 0.5 } } }, { LOG_LEVEL: 'debug' });
    expect(log).toMatchObject({ level: 'debug', requests: { share: 0.5 } });
    expect(faultsOf({ log: { requests: { shar: 1 } } }, { LOG_LEVEL: 'debug' })).toEqual([
      expect.stringMatching(/^log\.requests\.shar/),
    ]);
  });

  it.each([
    [{ TURNPIKE_PROFILE: 'prod' }, 'TURNPIKE_PROFILE'],
    [{ PUBLIC_URL: 'https://a,b' }, 'PUBLIC_URL[1]'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('%j: the fault names the variable', (env, name) => {
    expect(faultsOf({}, env as Record<string, string>)).toEqual([
      expect.stringMatching(new RegExp(`^${name.replace(/[[\]]/g, '\\$&')}: `)),
    ]);
  });

  it.each(['x', '-1', '65536', '80.5', '1e3', '0x10', ' 80', '999999'])('PORT=%s is refused', (PORT) => {
    expect(faultsOf(undefined, { PORT })).toEqual([expect.stringMatching(/^PORT: expected a number from 0 to 65535/)]);
  });

  it('left empty is as good as not set', () => {
    expect(
      load(undefined, {
        PORT: '',
        HOST: '',
        PUBLIC_URL: '',
        LOG_LEVEL: '',
        TURNPIKE_PROFILE: '',
        TURNPIKE_SECRET: '',
        RPC_BASE_MAINNET: '',
      }),
    ).toMatchObject({ port: 3000, host: '127.0.0.1', networks: {} });
  });
});

describe('RPC_… variables', () => {
  it('list the URLs of a network, and replace those of the file', () => {
    const file = {
      networks: {
        'ethereum-mainnet': { upstreams: ['https://file'] },
        'base-mainnet': { upstreams: ['https://kept'] },
      },
    };
    const config = load(file, { RPC_ETHEREUM_MAINNET: ' https://a/k , http://b:8545,' });
    expect(urls(config, 'ethereum-mainnet')).toEqual(['https://a/k', 'http://b:8545']);
    expect(urls(config, 'base-mainnet')).toEqual(['https://kept']);
  });

  it('keep what the file says of a further network', () => {
    const config = load(
      { networks: { 'gnosis-mainnet': { chainId: 100, name: 'Gnosis' } } },
      { RPC_GNOSIS_MAINNET: 'https://g' },
    );
    expect(config.networks['gnosis-mainnet']).toMatchObject({ chainId: 100, name: 'Gnosis' });
    expect(urls(config, 'gnosis-mainnet')).toEqual(['https://g']);
  });

  it('give the upstreams of a further network that the file has with its chain', async () => {
    const config = load(
      { networks: { 'gnosis-chain-testnet': { chainId: 10_200 } } },
      { RPC_GNOSIS_CHAIN_TESTNET: 'https://g', OTHER_A_MAINNET: 'x' },
    );
    expect(Object.keys(config.networks)).toEqual(['gnosis-chain-testnet']);
    const networks = new RpcNetworks(config);
    expect(networks.find('gnosis-chain-testnet')?.network).toMatchObject({
      kind: 'evm',
      testnet: true,
      baseCredits: 20,
      chainId: 10_200,
    });
    await networks.close();
  });

  it('of other programs are told of, and do not keep the gateway from starting', () => {
    expect(load(undefined, { RPC_URL: 'https://x', RPC_TIMEOUT: '5', RPC_GNOSIS: 'x' }).warnings).toEqual(
      ['RPC_URL', 'RPC_TIMEOUT', 'RPC_GNOSIS'].map((name) => `${name}: does not name a network, and is ignored`),
    );
  });

  it.each([
    ['nonsense', ['RPC_BASE_MAINNET[0]']],
    ['https://a,ws://b,https://c,d', ['RPC_BASE_MAINNET[1]', 'RPC_BASE_MAINNET[3]']],
    [' , ', ['RPC_BASE_MAINNET']],
    ['http:///x', ['RPC_BASE_MAINNET[0]']],
    ['https://%zz@a', ['RPC_BASE_MAINNET[0]']],
  ])('with %j are refused by name and place, without the value', (RPC_BASE_MAINNET, names) => {
    const faults = faultsOf(undefined, { RPC_BASE_MAINNET });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(names);
    expect(faults.join()).not.toMatch(/nonsense|ws:\/\/|%zz/);
  });

  it('accept a scheme in upper case, and user names', () => {
    expect(urls(load(undefined, { RPC_BASE_MAINNET: 'HTTPS://u%40x:p@a' }), 'base-mainnet')).toEqual([
      'HTTPS://u%40x:p@a',
    ]);
  });
});

describe('the live profile', () => {
  it('needs a secret of 32 characters, unless the command is offline', () => {
    expect(faultsOf({ profile: 'live' })).toEqual([expect.stringMatching(/^TURNPIKE_SECRET: expected a secret/)]);
    expect(faultsOf({ profile: 'live' }, { TURNPIKE_SECRET: 'x'.repeat(31) })).toEqual([
      'TURNPIKE_SECRET: expected at least 32 characters, got 31',
    ]);
    expect(load({ profile: 'live' }, { TURNPIKE_SECRET: SECRET }).secret?.reveal()).toBe(SECRET);
    expect(loadConfig({ TURNPIKE_PROFILE: 'live' }, tempFolder(), { secretNeeded: false }).secret).toBeNull();
  });

  it('starts with nothing but upstream URLs and a secret, by environment alone', () => {
    const config = load(undefined, {
      TURNPIKE_PROFILE: 'live',
      TURNPIKE_SECRET: SECRET,
      RPC_ETHEREUM_MAINNET: 'https://a',
    });
    expect(config.profile).toBe('live');
    expect(urls(config, 'ethereum-mainnet')).toEqual(['https://a']);
  });
});

describe('DATABASE_URL', () => {
  it('names the Postgres of the store; without it there is none', () => {
    expect(load().databaseUrl).toBeNull();
    expect(load(undefined, { DATABASE_URL: '' }).databaseUrl).toBeNull();
    for (const url of ['postgres://u:p@db.example/turnpike', 'postgresql:///turnpike?host=/run/postgresql']) {
      expect(load(undefined, { DATABASE_URL: url }).databaseUrl?.reveal()).toBe(url);
    }
  });

  it.each(['mysql://u:hunter2@db/x', 'db.example', 'postgres://', 'postgres://u:hunter2@db/with space'])(
    '%s is refused, and not shown',
    (url) => {
      expect(faultsOf(undefined, { DATABASE_URL: url })).toEqual([
        'DATABASE_URL: expected a URL such as postgres://user:password@host:5432/database',
      ]);
    },
  );

  it('is a secret that no file holds', () => {
    expect(faultsOf({ databaseUrl: 'postgres://u:p@db/x' })).toEqual([expect.stringMatching(/databaseUrl/)]);
    expect(inspect(load(undefined, { DATABASE_URL: 'postgres://u:hunter2@db/x' }), { depth: null })).not.toContain(
      'hunter2',
    );
  });
});

it('secrets are in no text made of the configuration', () => {
  const file = {
    profile: 'live',
    networks: {
      'base-mainnet': { upstreams: [{ url: 'https://host.example/k3y', headers: { authorization: 'Bearer k3y' } }] },
    },
  };
  const config = load(file, { TURNPIKE_SECRET: 'k3y'.repeat(20), RPC_ETHEREUM_MAINNET: 'https://u:k3y@host.example' });
  const { secret, networks } = config;
  const url = networks['base-mainnet']?.upstreams[0]?.url;
  const texts = [
    JSON.stringify(config),
    inspect(config, { depth: null }),
    inspect(config, { depth: null, showHidden: true, getters: true }),
    String(secret),
    `${url}`,
    url + '',
    JSON.stringify({ secret, url }),
    JSON.stringify(structuredClone({ ...networks['base-mainnet']?.upstreams[0], url: { ...url } }.url)),
  ];
  for (const text of texts) expect(text).not.toMatch(/k3y|host\.example/);
  expect(url?.reveal()).toBe('https://host.example/k3y');
});
