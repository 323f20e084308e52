/** This file contains a typical live configuration and its parts, for tests that change one setting. */

export const LIVE_SECRET = 'correct-horse-battery-staple-2026-turnpike';
export const LIVE_ENV = { TURNPIKE_PROFILE: 'live', TURNPIKE_SECRET: LIVE_SECRET } as const;

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const UPPER_CASE_RECEIVER = '0x52908400098527886E0F7030069857D2E4169EE7';
export const EVM_RECEIVER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const SOLANA_RECEIVER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
export const STAKING_CONTRACT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

export const evmRail = {
  family: 'evm',
  network: 'eip155:8453',
  name: 'base',
  rpcNetwork: 'base-mainnet',
  token: { address: USDC, name: 'USD Coin', version: '2' },
  receiver: EVM_RECEIVER,
  facilitator: { url: 'https://facilitator.example' },
};

export const solanaRail = {
  family: 'solana',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'solana',
  rpcNetwork: 'solana-mainnet',
  token: { address: SOLANA_USDC },
  receiver: SOLANA_RECEIVER,
  facilitator: { url: 'https://facilitator.example' },
};

const contracts = {
  stakeToken: USDC,
  staking: STAKING_CONTRACT,
  dailyCreditToken: USDC,
  dailyCreditPool: STAKING_CONTRACT,
};
export const stakingDeployment = { network: 'base-mainnet', primary: true, ...contracts };

/** Content of a typical live configuration file. */
export const goodLive = {
  $schema: 'https://turnpike.example/turnpike.config.schema.json',
  profile: 'live',
  publicUrls: ['https://rpc.example.com'],
  trustProxyHops: 1,
  networks: {
    'ethereum-mainnet': { upstreams: ['https://a.example/eth', 'https://b.example/eth'] },
    'base-mainnet': {
      upstreams: [{ url: 'https://a.example/base', headers: { authorization: 'Bearer ${BASE_TOKEN}' } }],
    },
    'solana-mainnet': { upstreams: ['https://a.example/sol'] },
    'gnosis-mainnet': { name: 'Gnosis', chainId: 100, upstreams: ['https://a.example/gno'] },
  },
  payments: { rails: [evmRail, solanaRail] },
  staking: { deployments: [stakingDeployment] },
  inference: {
    chatUpstreams: [{ name: 'ollama', url: 'http://127.0.0.1:11434/v1' }],
    models: { 'm-1': { prices: { inputUsdPerMillionTokens: '0.1' } } },
  },
  speech: {
    upstreams: [{ name: 'kokoro', url: 'http://127.0.0.1:8880/v1' }],
    models: { 'tts-kokoro': { upstream: 'kokoro', usdPerMillionCharacters: '3' } },
  },
  video: {
    upstreams: [{ name: 'studio', url: 'https://video.example/v1', key: '${VIDEO_KEY}' }],
    models: { clip: { upstream: 'studio', pricePerSecondUsd: '0.1' } },
  },
};

export const goodEnv = {
  ...LIVE_ENV,
  BASE_TOKEN: 'base-token-of-the-operator',
  VIDEO_KEY: 'video-key-of-the-operator',
};
