export const KEY = {
  id: 'key-1',
  apiKeyType: 'INFERENCE',
  description: 'one',
  last6Chars: 'abcdef',
  consumptionLimit: { usd: null, diem: null },
  limitPeriod: 'LIFETIME',
  usage: { currentPeriod: { usd: 0, diem: 0 }, total: { usd: 0, diem: 0 } },
  allow: null,
  prepaidLimitUsd: null,
  alert: null,
  createdAt: '2026-11-01T00:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};
export const CHARGE = {
  timestamp: '2026-11-21T00:00:00Z',
  resource: 'rpc',
  detail: 'eth_blockNumber',
  units: 20,
  amount: '0.000020000',
  currency: 'X402',
  pots: { X402: '0.000020000' },
  apiKey: null,
  requestId: 'req-1',
};
export const CHARGE_SUMS = {
  startDate: '2026-11-01',
  endDate: '2026-11-21',
  data: [{ group: '2026-11-21', charges: 3, units: 60, amount: '0.000060000' }],
  totals: {
    charges: 3,
    amount: '0.000060000',
    refunded: '0.000000000',
    pots: {
      X402: {
        opening: '0.000000000',
        credited: '5.000000000',
        withdrawn: '0.000000000',
        charged: '0.000060000',
        expired: '0.000000000',
        closing: '4.999940000',
      },
    },
    reconciles: true,
  },
};

const SPEAKER = {
  id: 'tts-1',
  type: 'tts',
  model_spec: {
    name: 'Speaker',
    voices: ['af_sky'],
    default_voice: 'af_sky',
    languages: ['en'],
    supported_formats: ['mp3', 'wav'],
    default_format: 'mp3',
    pricing: { input: { usd: 15 } },
    engine: 'engine 1',
    offline: false,
  },
};
const CAMERA = {
  id: 'video-1',
  type: 'video',
  model_spec: {
    name: 'Camera',
    durations: ['5s'],
    aspect_ratios: ['16:9'],
    pricing: { per_second: { usd: 0.1 } },
    engine: 'engine 1',
    offline: false,
  },
};
const PAINTER = {
  id: 'image-1',
  type: 'image',
  model_spec: { name: 'Painter', sizes: ['512x512'], pricing: { generation: { usd: 0.04 } }, offline: false },
};
const EMBEDDER = {
  id: 'embedding-1',
  type: 'embedding',
  model_spec: { name: 'Embedder', dimensions: 1, pricing: { input: { usd: 0.02 } }, offline: false },
};
export const CHATTER = {
  id: 'e2ee-guide',
  type: 'text',
  object: 'model',
  created: 1,
  owned_by: 'x',
  model_spec: {
    name: 'Guide',
    availableContextTokens: 32_768,
    maxCompletionTokens: 4_096,
    capabilities: {
      supportsE2EE: true,
      supportsTeeAttestation: true,
      supportsResponseSchema: true,
      supportsFunctionCalling: true,
    },
    pricing: { input: { usd: 1 }, output: { usd: 2 } },
    offline: false,
    encryption: 'ecdsa',
  },
};

export const MODELS = [SPEAKER, CAMERA, PAINTER, EMBEDDER];
