import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  EVM_RECEIVER,
  evmRail,
  goodEnv,
  goodLive,
  LIVE_ENV,
  LIVE_SECRET,
  SOLANA_RECEIVER,
  SOLANA_USDC,
  solanaRail,
  STAKING_CONTRACT,
  stakingDeployment,
  UPPER_CASE_RECEIVER,
  USDC,
  ZERO_ADDRESS,
} from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { ConfigError, loadConfig } from './load';

interface Mistake {
  name: string;
  /** Content of the file, as a value or as text. */
  file?: unknown;
  env?: Record<string, string>;
  /** Field or variable that the fault must name. */
  path: string;
  /** Pattern of the message. It must say which value is expected, or what to do. */
  says: RegExp;
}

type Json = Record<string, unknown>;

/** Returns the valid live file with some top-level fields changed. */
const live = (change: Json): Json => ({ ...goodLive, ...change });
const rails = (...all: unknown[]): Json => live({ payments: { rails: all } });
const withdrawing = (all: unknown[], withdrawals: object): Json =>
  live({
    payments: { rails: all, withdrawals: { privateKey: `0x${'1'.repeat(64)}`, dailyUsdMax: 100, ...withdrawals } },
  });
const network = (slug: string, settings: unknown): Json =>
  live({ networks: { ...goodLive.networks, [slug]: settings } });
const agreement = (change: Json, more: Json = {}): Json =>
  network('gnosis-mainnet', {
    chainId: 100,
    upstreams: ['https://a.example', 'https://b.example', 'https://c.example'],
    agreement: { methods: ['eth_call'], ...change },
    ...more,
  });
const chat = (upstream: Json): Json => live({ inference: { chatUpstreams: [upstream] } });

const MISTAKES: readonly Mistake[] = [
  {
    name: 'an agreement of more upstreams than there are',
    file: agreement({ nodes: 4 }),
    path: 'networks.gnosis-mainnet.agreement.nodes',
    says: /4.*3 upstreams/,
  },
  {
    name: 'an agreement of more than are asked',
    file: agreement({ nodes: 2, agreeing: 3 }),
    path: 'networks.gnosis-mainnet.agreement.agreeing',
    says: /3.*2 upstreams are asked/,
  },
  {
    name: 'an agreement of one',
    file: agreement({ agreeing: 1 }),
    path: 'networks.gnosis-mainnet.agreement.agreeing',
    says: /2/,
  },
  {
    name: 'an agreement on a send',
    file: agreement({ methods: ['eth_sendRawTransaction'] }),
    path: 'networks.gnosis-mainnet.agreement.methods[0]',
    says: /sends/,
  },
  {
    name: 'an agreement on an unknown method',
    file: agreement({ methods: ['eth_call', 'eth_cal'] }),
    path: 'networks.gnosis-mainnet.agreement.methods[1]',
    says: /eth_cal.*extraMethods/,
  },
  {
    name: 'an agreement on a method of another family',
    file: agreement({ methods: ['getBlock'] }),
    path: 'networks.gnosis-mainnet.agreement.methods[0]',
    says: /family/,
  },
  {
    name: 'an agreement on a method twice',
    file: agreement({ methods: ['eth_call', 'eth_call'] }),
    path: 'networks.gnosis-mainnet.agreement.methods[1]',
    says: /twice/,
  },
  {
    name: 'an agreement that costs too much',
    file: agreement({ priceMultiplier: 100 }, { baseCredits: 200 }),
    path: 'networks.gnosis-mainnet.agreement.priceMultiplier',
    says: /10000/,
  },
  { name: 'an empty file', file: '', path: '(the whole file)', says: /empty.*\{\}/ },
  { name: 'a file of white space', file: ' \n', path: '(the whole file)', says: /empty/ },
  {
    name: 'a key twice at the top',
    file: '{"profile": "live", "log": {}, "profile": "sandbox"}',
    path: 'profile',
    says: /twice.*line 1/,
  },
  {
    name: 'a key twice deep inside',
    file: `{"payments": {\n"rails": [\n{"receiver": "${EVM_RECEIVER}", ${JSON.stringify(evmRail).slice(1)}]}}`,
    env: { TURNPIKE_PROFILE: 'sandbox' },
    path: 'payments.rails[0].receiver',
    says: /twice.*line 3/,
  },
  {
    name: 'a network twice',
    file: '{"networks": {"base-mainnet": {}, "base-mainnet": {"upstreams": ["https://a.example"]}}}',
    path: 'networks.base-mainnet',
    says: /twice/,
  },
  {
    name: 'a misspelled field at the top',
    file: live({ publicUrl: ['https://rpc.example.com'] }),
    path: 'publicUrl',
    says: /not a field.*publicUrls/,
  },
  {
    name: 'a misspelled field inside',
    file: rails({ ...evmRail, reciever: EVM_RECEIVER }),
    path: 'payments.rails[0].reciever',
    says: /not a field.*receiver/,
  },
  { name: 'a field in another case', file: live({ Networks: {} }), path: 'Networks', says: /networks/ },
  {
    name: 'a misspelled profile',
    file: live({ profile: 'lvie' }),
    env: { TURNPIKE_PROFILE: '' },
    path: 'profile',
    says: /"lvie".*did you mean live/,
  },
  { name: 'a number in quotes', file: live({ trustProxyHops: '1' }), path: 'trustProxyHops', says: /number.*"1"/ },
  {
    name: 'a price as a number',
    file: live({ pricePerCreditUsd: 0.0000007 }),
    path: 'pricePerCreditUsd',
    says: /string/,
  },
  {
    name: 'a list that is one text',
    file: live({ publicUrls: 'https://rpc.example.com' }),
    path: 'publicUrls',
    says: /array/,
  },

  // Substitution of variables.
  {
    name: 'a variable that is not set',
    file: network('linea-mainnet', { upstreams: ['https://l.example/${LINEA_KEY}'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /LINEA_KEY is not set/,
  },
  {
    name: 'a variable that is misspelled',
    file: network('linea-mainnet', { upstreams: ['https://l.example/${BASE_TOKN}'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /BASE_TOKN is not set.*BASE_TOKEN/,
  },
  {
    name: 'a variable that is empty',
    file: network('linea-mainnet', { upstreams: ['https://l.example/${LINEA_KEY}'] }),
    env: { LINEA_KEY: '' },
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /LINEA_KEY is empty/,
  },
  {
    name: 'an unclosed ${',
    file: network('linea-mainnet', { upstreams: ['https://l.example/${BASE_TOKEN'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /closed.*\$\{BASE_TOKEN\}/,
  },
  {
    name: 'a bare $NAME',
    file: network('linea-mainnet', { upstreams: ['https://l.example/$BASE_TOKEN'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /\$BASE_TOKEN.*\$\{BASE_TOKEN\}/,
  },
  { name: 'a ${} without a name', file: live({ dataDir: '/x/${}' }), path: 'dataDir', says: /\$\{NAME\}/ },
  {
    name: 'a ${…} within a variable, where nothing is replaced',
    env: { ...LIVE_ENV, RPC_BASE_MAINNET: 'https://b.example/${KEY}' },
    path: 'RPC_BASE_MAINNET[0]',
    says: /does not replace/,
  },

  // Receivers and tokens.
  {
    name: 'a receiver that is zero',
    file: rails({ ...evmRail, receiver: ZERO_ADDRESS }),
    path: 'payments.rails[0].receiver',
    says: /zero address/,
  },
  {
    name: 'a receiver that is zero, from the environment',
    file: rails({ ...evmRail, receiver: '${RECEIVER}' }),
    env: { RECEIVER: ZERO_ADDRESS },
    path: 'payments.rails[0].receiver',
    says: /zero address/,
  },
  {
    name: 'a receiver with a wrong checksum',
    file: rails({ ...evmRail, receiver: EVM_RECEIVER.replace('aAeb', 'aaeb') }),
    path: 'payments.rails[0].receiver',
    says: /EIP-55/,
  },
  {
    name: 'a Solana receiver on an EVM rail',
    file: rails({ ...evmRail, receiver: SOLANA_RECEIVER }),
    path: 'payments.rails[0].receiver',
    says: /Solana.*EVM|EVM.*Solana/,
  },
  {
    name: 'an EVM receiver on a Solana rail',
    file: rails(solanaRail, {
      ...solanaRail,
      token: { address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' },
      receiver: UPPER_CASE_RECEIVER,
    }),
    path: 'payments.rails[1].receiver',
    says: /Solana/,
  },
  {
    name: 'a Solana receiver that is zero',
    file: rails({ ...solanaRail, receiver: '1'.repeat(32) }),
    path: 'payments.rails[0].receiver',
    says: /System Program|zero/,
  },
  {
    name: 'a Solana receiver that is cut short',
    file: rails({ ...solanaRail, receiver: SOLANA_RECEIVER.slice(0, 40) }),
    path: 'payments.rails[0].receiver',
    says: /32 bytes/,
  },
  {
    name: 'a receiver that is the token',
    file: rails({ ...evmRail, receiver: USDC }),
    path: 'payments.rails[0].receiver',
    says: /token/,
  },
  {
    name: 'a receiver that is the token, in another case',
    file: rails({ ...evmRail, receiver: USDC.toLowerCase() }),
    path: 'payments.rails[0].receiver',
    says: /token/,
  },
  {
    name: 'a Solana receiver that is the mint',
    file: rails({ ...solanaRail, receiver: SOLANA_USDC }),
    path: 'payments.rails[0].receiver',
    says: /token/,
  },
  {
    name: 'a receiver that is a contract of staking',
    file: rails({ ...evmRail, receiver: STAKING_CONTRACT }),
    path: 'payments.rails[0].receiver',
    says: /staking/,
  },
  {
    name: 'a token that is zero',
    file: rails({ ...evmRail, token: { address: ZERO_ADDRESS } }),
    path: 'payments.rails[0].token.address',
    says: /zero address/,
  },
  {
    name: 'a token with a wrong checksum',
    file: rails({ ...evmRail, token: { address: USDC.replace('fCD6', 'fcD6') } }),
    path: 'payments.rails[0].token.address',
    says: /EIP-55/,
  },
  {
    name: 'a token of another family',
    file: rails({ ...solanaRail, token: { address: USDC } }),
    path: 'payments.rails[0].token.address',
    says: /Solana/,
  },
  {
    name: 'a wallet factory that is zero',
    file: rails({ ...evmRail, walletFactories: [ZERO_ADDRESS] }),
    path: 'payments.rails[0].walletFactories[0]',
    says: /zero address/,
  },
  {
    name: 'a settling key that is zero',
    file: rails({ ...evmRail, facilitator: { privateKey: `0x${'0'.repeat(64)}` } }),
    path: 'payments.rails[0].facilitator.privateKey',
    says: /secp256k1/,
  },
  {
    name: 'a settling key on Solana of a wrong length',
    file: rails({ ...solanaRail, facilitator: { privateKey: '2'.repeat(50) } }),
    path: 'payments.rails[0].facilitator.privateKey',
    says: /32 or 64 bytes/,
  },
  {
    name: 'a paying key of withdrawals that is zero',
    file: withdrawing([evmRail], { privateKey: `0x${'0'.repeat(64)}` }),
    path: 'payments.withdrawals.privateKey',
    says: /secp256k1/,
  },
  {
    name: 'withdrawals without a bound of the day',
    file: withdrawing([evmRail], { dailyUsdMax: undefined }),
    path: 'payments.withdrawals.dailyUsdMax',
    says: /number/,
  },
  {
    name: 'a fee of withdrawals that takes the smallest one',
    file: withdrawing([evmRail], { feeUsd: 1, minimumUsd: 1 }),
    path: 'payments.withdrawals.minimumUsd',
    says: /more than feeUsd/,
  },
  {
    name: 'withdrawals on Solana alone with a key for EVM chains',
    file: withdrawing([solanaRail], {}),
    path: 'payments.withdrawals.privateKey',
    says: /rail of the family "evm"/,
  },
  {
    name: 'withdrawals on EVM chains alone with a key for Solana',
    file: withdrawing([evmRail], { solanaPrivateKey: '2'.repeat(44) }),
    path: 'payments.withdrawals.solanaPrivateKey',
    says: /rail of the family "solana"/,
  },
  {
    name: 'a paying key of withdrawals on Solana of a wrong length',
    file: withdrawing([evmRail, solanaRail], { solanaPrivateKey: '2'.repeat(50) }),
    path: 'payments.withdrawals.solanaPrivateKey',
    says: /32 or 64 bytes/,
  },
  {
    name: 'withdrawals without a paying key',
    file: withdrawing([evmRail], { privateKey: undefined }),
    path: 'payments.withdrawals.privateKey',
    says: /solanaPrivateKey or both/,
  },

  // Rails and their networks.
  {
    name: 'a rail over an unknown network',
    file: rails({ ...evmRail, rpcNetwork: 'base-mainet' }),
    path: 'payments.rails[0].rpcNetwork',
    says: /base-mainnet/,
  },
  {
    name: 'a rail over the network of another chain',
    file: rails({ ...evmRail, rpcNetwork: 'ethereum-mainnet' }),
    path: 'payments.rails[0].rpcNetwork',
    says: /8453.*base-mainnet/,
  },
  {
    name: 'a Solana rail over an EVM network',
    file: rails({ ...solanaRail, rpcNetwork: 'base-mainnet' }),
    path: 'payments.rails[0].rpcNetwork',
    says: /solana-mainnet/,
  },
  {
    name: 'a Solana rail of mainnet over devnet',
    file: live({
      networks: { ...goodLive.networks, 'solana-devnet': { upstreams: ['https://d.example'] } },
      payments: { rails: [{ ...solanaRail, rpcNetwork: 'solana-devnet' }] },
    }),
    path: 'payments.rails[0].rpcNetwork',
    says: /solana-mainnet/,
  },
  {
    name: 'a rail without an upstream',
    file: rails({ ...evmRail, network: 'eip155:59144', rpcNetwork: 'linea-mainnet' }),
    path: 'payments.rails[0].rpcNetwork',
    says: /upstream.*RPC_LINEA_MAINNET/,
  },
  {
    name: 'two rails of one name on two chains',
    file: rails(evmRail, { ...solanaRail, name: 'base' }),
    path: 'payments.rails[1].name',
    says: /twice/,
  },
  {
    name: 'the same token on the same network twice',
    file: rails(evmRail, { ...evmRail, name: 'base-2', receiver: UPPER_CASE_RECEIVER }),
    path: 'payments.rails[1]',
    says: /twice/,
  },
  {
    name: "Coinbase's facilitator without its key",
    file: rails({ ...evmRail, facilitator: { url: 'https://api.cdp.coinbase.com/platform/v2/x402' } }),
    path: 'payments.rails[0].facilitator',
    says: /cdpApiKey/,
  },

  // Networks and upstreams.
  {
    name: 'a misspelled network',
    file: network('etherum-mainnet', { upstreams: ['https://e.example'] }),
    path: 'networks.etherum-mainnet.chainId',
    says: /ethereum-mainnet/,
  },
  ...[
    ['polygon', /polygon-mainnet or polygon-amoy/],
    ['base', /base-mainnet/],
    ['8453', /base-mainnet/],
    ['eth', /ethereum-mainnet/],
    ['arbitrum-one', /arbitrum-mainnet/],
  ].map(([slug, says]) => ({
    name: `the network ${String(slug)}`,
    file: network(String(slug), { upstreams: ['https://e.example'] }),
    path: `networks.${String(slug)}`,
    says: says as RegExp,
  })),
  {
    name: 'a network by its ticker',
    file: network('eth-mainnet', { upstreams: ['https://e.example'] }),
    path: 'networks.eth-mainnet.chainId',
    says: /ethereum-mainnet/,
  },
  {
    name: 'a network without its net in a variable',
    env: { ...LIVE_ENV, RPC_POLYGON: 'https://p.example' },
    path: 'RPC_POLYGON',
    says: /RPC_POLYGON_MAINNET/,
  },
  {
    name: 'a chain id in a variable',
    env: { ...LIVE_ENV, RPC_8453: 'https://p.example' },
    path: 'RPC_8453',
    says: /RPC_BASE_MAINNET/,
  },
  {
    name: 'a network of no known form',
    file: network('ethereum-sepola', { upstreams: ['https://e.example'] }),
    path: 'networks.ethereum-sepola',
    says: /ethereum-sepolia/,
  },
  {
    name: 'a further network without its chain id',
    file: network('celo-mainnet', { upstreams: ['https://c.example'] }),
    path: 'networks.celo-mainnet.chainId',
    says: /chainId/,
  },
  {
    name: 'a chain id that a built-in network has',
    file: network('celo-mainnet', { chainId: 10, upstreams: ['https://c.example'] }),
    path: 'networks.celo-mainnet.chainId',
    says: /optimism-mainnet/,
  },
  {
    name: 'a chain id twice',
    file: network('celo-mainnet', { chainId: 100, upstreams: ['https://c.example'] }),
    path: 'networks.celo-mainnet.chainId',
    says: /gnosis-mainnet/,
  },
  {
    name: 'a chain id on Solana',
    file: network('eclipse-mainnet', { kind: 'solana', chainId: 5, upstreams: ['https://c.example'] }),
    path: 'networks.eclipse-mainnet.chainId',
    says: /EVM/,
  },
  {
    name: 'the same upstream twice',
    file: network('linea-mainnet', { upstreams: ['https://l.example/x', 'HTTPS://L.example/x'] }),
    path: 'networks.linea-mainnet.upstreams[1]',
    says: /twice/,
  },
  {
    name: 'the same upstream for two networks',
    file: network('linea-mainnet', { upstreams: ['https://b.example/eth'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /networks\.ethereum-mainnet\.upstreams\[1\]/,
  },
  {
    name: 'the same upstream twice in a variable',
    env: { ...LIVE_ENV, RPC_BASE_MAINNET: 'https://b.example,https://b.example/' },
    path: 'RPC_BASE_MAINNET[1]',
    says: /twice/,
  },
  {
    name: 'a secret in a header over http in live',
    file: network('linea-mainnet', {
      upstreams: [{ url: 'http://l.example', headers: { authorization: 'Bearer ${BASE_TOKEN}' } }],
    }),
    path: 'networks.linea-mainnet.upstreams[0].url',
    says: /https/,
  },
  {
    name: 'a secret in a URL over http in live',
    file: network('linea-mainnet', { upstreams: ['http://l.example/${BASE_TOKEN}'] }),
    path: 'networks.linea-mainnet.upstreams[0]',
    says: /https/,
  },
  {
    name: 'a password over http in live',
    env: { ...LIVE_ENV, RPC_BASE_MAINNET: 'http://user:password@b.example' },
    path: 'RPC_BASE_MAINNET[0]',
    says: /https/,
  },
  {
    name: 'a key of chat over http in live',
    file: chat({ name: 'a', url: 'http://models.example/v1', key: '${BASE_TOKEN}' }),
    path: 'inference.chatUpstreams[0].url',
    says: /https/,
  },
  {
    name: "a facilitator's headers over http in live",
    file: rails({
      ...evmRail,
      facilitator: { url: 'http://facilitator.example', headers: { 'x-key': '${BASE_TOKEN}' } },
    }),
    path: 'payments.rails[0].facilitator.url',
    says: /https/,
  },
  {
    name: 'the same chat upstream twice',
    file: live({
      inference: {
        chatUpstreams: [
          { name: 'a', url: 'https://m.example/v1' },
          { name: 'b', url: 'https://m.example/v1/' },
        ],
      },
    }),
    path: 'inference.chatUpstreams[1].url',
    says: /twice/,
  },
  {
    name: 'instances without the server that lists them',
    file: live({
      inference: { enclaveUpstreams: [{ name: 'a', url: 'https://n.example/v1', encryption: 'ml-kem-768' }] },
    }),
    path: 'inference.enclaveUpstreams[0].controlUrl',
    says: /Is required/,
  },
  {
    name: 'a key for a server of instances over http in live',
    file: live({
      inference: {
        enclaveUpstreams: [
          {
            name: 'a',
            url: 'https://n.example/v1',
            encryption: 'ml-kem-768',
            controlUrl: 'http://c.example',
            key: '${BASE_TOKEN}',
          },
        ],
      },
    }),
    path: 'inference.enclaveUpstreams[0].controlUrl',
    says: /https/,
  },
  {
    name: 'a server of instances without instances',
    file: live({
      inference: { enclaveUpstreams: [{ name: 'a', url: 'https://n.example/v1', controlUrl: 'https://c.example' }] },
    }),
    path: 'inference.enclaveUpstreams[0].controlUrl',
    says: /only for encryption ml-kem-768/,
  },
  {
    name: 'a name that an enclave and a plain server share',
    file: live({
      inference: {
        chatUpstreams: [{ name: 'a', url: 'https://m.example/v1' }],
        enclaveUpstreams: [{ name: 'a', url: 'https://n.example/v1' }],
      },
    }),
    path: 'inference.enclaveUpstreams[0].name',
    says: /twice/,
  },
  {
    name: 'a model of speech twice',
    file: live({
      speech: { upstreams: [{ name: 'k', url: 'https://k.example/v1', models: ['tts-kokoro', 'tts-kokoro'] }] },
    }),
    path: 'speech.upstreams[0].models[1]',
    says: /twice/,
  },
  {
    name: 'a model of video at an upstream that is not there',
    file: live({ video: { models: { clip: { upstream: 'studoi' } }, upstreams: goodLive.video.upstreams } }),
    path: 'video.models.clip.upstream',
    says: /studio/,
  },
  {
    name: 'staking on a network without an upstream',
    file: live({ staking: { deployments: [{ ...stakingDeployment, network: 'linea-mainnet' }] } }),
    path: 'staking.deployments[0].network',
    says: /upstream.*RPC_LINEA_MAINNET/,
  },

  // Prices and timeouts.
  { name: 'credits for nothing', file: live({ pricePerCreditUsd: '0' }), path: 'pricePerCreditUsd', says: /"free"/ },
  {
    name: 'tokens for nothing',
    file: live({
      inference: { models: { m: { prices: { inputUsdPerMillionTokens: '0.00', outputUsdPerMillionTokens: '1' } } } },
    }),
    path: 'inference.models.m.prices.inputUsdPerMillionTokens',
    says: /"free"/,
  },
  {
    name: 'a model of embeddings at an upstream that is not there',
    file: live({
      embeddings: {
        upstreams: [{ name: 'local', url: 'https://e.example/v1' }],
        models: { small: { upstream: 'locla' } },
      },
    }),
    path: 'embeddings.models.small.upstream',
    says: /"locla".*local/,
  },
  {
    name: 'a model of images at an upstream that is not there',
    file: live({ images: { models: { painter: { upstream: 'studio' } } } }),
    path: 'images.models.painter.upstream',
    says: /images\.upstreams/,
  },
  {
    name: 'two servers of images of one name',
    file: live({
      images: {
        upstreams: [
          { name: 'one', url: 'https://a.example/v1' },
          { name: 'one', url: 'https://b.example/v1' },
        ],
      },
    }),
    path: 'images.upstreams[1].name',
    says: /twice/,
  },
  {
    name: 'embeddings for nothing',
    file: live({ embeddings: { models: { small: { usdPerMillionTokens: '0' } } } }),
    path: 'embeddings.models.small.usdPerMillionTokens',
    says: /free/,
  },
  {
    name: 'pictures for nothing',
    file: live({ images: { models: { painter: { usdPerImage: { '1024x1024': '0.00' } } } } }),
    path: 'images.models.painter.usdPerImage.1024x1024',
    says: /free/,
  },
  {
    name: 'an invalid picture size',
    file: live({ images: { models: { painter: { usdPerImage: { large: '0.04' } } } } }),
    path: 'images.models.painter.usdPerImage.large',
    says: /1024x1024/,
  },
  {
    name: 'no size of pictures at all',
    file: live({ images: { models: { painter: { usdPerImage: {} } } } }),
    path: 'images.models.painter.usdPerImage',
    says: /size/,
  },
  {
    name: 'videos for nothing',
    file: live({ video: { pricePerSecondUsd: '0' } }),
    path: 'video.pricePerSecondUsd',
    says: /"free"/,
  },
  {
    name: 'an attempt that may take longer than the call',
    file: live({ rpc: { timeoutMs: 10_000, attemptTimeoutMs: 20_000 } }),
    path: 'rpc.attemptTimeoutMs',
    says: /rpc\.timeoutMs.*10000/,
  },
  {
    name: 'a connection that may take longer than the attempt',
    file: live({ rpc: { connectTimeoutMs: 25_000 } }),
    path: 'rpc.connectTimeoutMs',
    says: /rpc\.attemptTimeoutMs/,
  },
  {
    name: 'a connection that may take longer than the first byte',
    file: live({ speech: { connectTimeoutMs: 90_000 } }),
    path: 'speech.connectTimeoutMs',
    says: /speech\.firstByteTimeoutMs/,
  },
  {
    name: 'a receiver that nobody has the key of',
    file: rails({ ...evmRail, receiver: '0x000000000000000000000000000000000000dEaD' }),
    path: 'payments.rails[0].receiver',
    says: /nobody has the key/,
  },
  {
    name: 'an answer under an idempotency key that no caller may keep',
    file: live({ idempotency: { answerBytesMax: 2_000_000, callerBytesMax: 1_000_000 } }),
    path: 'idempotency.answerBytesMax',
    says: /callerBytesMax/,
  },

  // Public URLs.
  {
    name: 'a public URL with a path',
    file: live({ publicUrls: ['https://rpc.example.com/api'] }),
    path: 'publicUrls[0]',
    says: /origin.*https:\/\/rpc\.example\.com/,
  },
  {
    name: 'PUBLIC_URL with a query',
    env: { ...LIVE_ENV, PUBLIC_URL: 'https://rpc.example.com?x=1' },
    path: 'PUBLIC_URL[0]',
    says: /origin/,
  },
  {
    name: 'a public URL twice',
    file: live({ publicUrls: ['https://rpc.example.com', 'https://RPC.example.com/'] }),
    path: 'publicUrls[1]',
    says: /twice/,
  },
  {
    name: 'a public HOST without a public URL',
    file: live({ publicUrls: [] }),
    env: { HOST: '0.0.0.0' },
    path: 'publicUrls',
    says: /PUBLIC_URL/,
  },
  { name: 'HOST that is a URL', env: { ...LIVE_ENV, HOST: 'http://10.0.0.1:3000' }, path: 'HOST', says: /address/ },

  // Variables.
  {
    name: 'a misspelled variable of ours',
    env: { ...LIVE_ENV, TURNPIKE_DATADIR: '/x' },
    path: 'TURNPIKE_DATADIR',
    says: /TURNPIKE_DATA_DIR/,
  },
  {
    name: 'a secret under a wrong name',
    env: { ...LIVE_ENV, TURNPIKE_SECRETS: LIVE_SECRET },
    path: 'TURNPIKE_SECRETS',
    says: /did you mean TURNPIKE_SECRET\?/,
  },
  {
    name: 'a misspelled variable that names a file',
    env: { ...LIVE_ENV, TURNPIKE_SECRT_FILE: '/x' },
    path: 'TURNPIKE_SECRT_FILE',
    says: /TURNPIKE_SECRET_FILE/,
  },
  {
    name: 'a misspelled network in a variable',
    env: { ...LIVE_ENV, RPC_ETHEREUM_MAINET: 'https://e.example' },
    path: 'RPC_ETHEREUM_MAINET',
    says: /RPC_ETHEREUM_MAINNET/,
  },
  {
    name: 'a misspelled family in a variable',
    env: { ...LIVE_ENV, RPC_ETHERUM_MAINNET: 'https://e.example' },
    path: 'RPC_ETHERUM_MAINNET',
    says: /RPC_ETHEREUM_MAINNET/,
  },
  {
    name: 'an unknown network in a variable',
    env: { ...LIVE_ENV, RPC_CELO_MAINNET: 'https://c.example' },
    path: 'RPC_CELO_MAINNET',
    says: /networks\.celo-mainnet.*chainId/,
  },
  {
    name: 'a key of speech without its URL',
    env: { ...LIVE_ENV, SPEECH_UPSTREAM_KEY: 'speech-key' },
    path: 'SPEECH_UPSTREAM_KEY',
    says: /SPEECH_UPSTREAM_URL/,
  },
  {
    name: 'a key of chat without its URL',
    env: { ...LIVE_ENV, CHAT_UPSTREAM_KEY: 'chat-key' },
    path: 'CHAT_UPSTREAM_KEY',
    says: /CHAT_UPSTREAM_URL/,
  },
  {
    name: 'a key of an enclave without its URL',
    env: { ...LIVE_ENV, ENCLAVE_UPSTREAM_KEY: 'enclave-key' },
    path: 'ENCLAVE_UPSTREAM_KEY',
    says: /ENCLAVE_UPSTREAM_URL/,
  },
  {
    name: 'a key of video without its URL',
    env: { ...LIVE_ENV, VIDEO_UPSTREAM_KEY: 'video-key' },
    path: 'VIDEO_UPSTREAM_KEY',
    says: /VIDEO_UPSTREAM_URL/,
  },
  ...['EMBEDDINGS', 'IMAGES'].flatMap((service) => [
    {
      name: `a key of ${service.toLowerCase()} without its URL`,
      env: { ...LIVE_ENV, [`${service}_UPSTREAM_KEY`]: 'a-key' },
      path: `${service}_UPSTREAM_KEY`,
      says: new RegExp(`${service}_UPSTREAM_URL`),
    },
    {
      name: `an invalid URL of ${service.toLowerCase()}`,
      env: { ...LIVE_ENV, [`${service}_UPSTREAM_URL`]: 'nonsense' },
      path: `${service}_UPSTREAM_URL`,
      says: /http:\/\/ or https:\/\//,
    },
    {
      name: `an upstream of ${service.toLowerCase()} that has the name of the one in the environment`,
      file: live({
        [service.toLowerCase()]: { upstreams: [{ name: service.toLowerCase(), url: 'https://m.example' }] },
      }),
      env: { [`${service}_UPSTREAM_URL`]: 'https://n.example/v1' },
      path: `${service.toLowerCase()}.upstreams[0].name`,
      says: new RegExp(`is used twice \\(also the upstream of ${service}_UPSTREAM_URL`),
    },
  ]),
  {
    name: "OpenAI's API without its key",
    env: { ...LIVE_ENV, CHAT_UPSTREAM_URL: 'https://api.openai.com/v1' },
    path: 'CHAT_UPSTREAM_URL',
    says: /CHAT_UPSTREAM_KEY/,
  },
  {
    name: 'a misspelled variable of an upstream',
    env: { ...LIVE_ENV, CHAT_UPSTREM_URL: 'https://m.example/v1' },
    path: 'CHAT_UPSTREM_URL',
    says: /CHAT_UPSTREAM_URL/,
  },
];

function load(file: unknown, env: Record<string, string>) {
  const folder = tempFolder();
  if (file !== undefined)
    writeFileSync(join(folder, 'turnpike.config.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return loadConfig(env, folder);
}

function faultsOf(file: unknown, env: Record<string, string>): readonly string[] {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('a mistake stops the start, with the path of the field, what is expected, and nothing else', () => {
  it.each(MISTAKES.map((mistake) => [mistake.name, mistake] as const))('%s', (_name, { file, env, path, says }) => {
    const faults = faultsOf(file, { ...(file === undefined ? {} : goodEnv), ...env });
    expect(faults).toEqual([expect.stringMatching(says)]);
    expect(faults[0]?.slice(0, path.length + 2)).toBe(`${path}: `);
  });

  it('there are enough of them', () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(85);
  });
});

describe('all mistakes are told at once', () => {
  it('those of the schema, of how fields fit together, of variables and of keys that stand twice', () => {
    const file = `{"profile": "live", "trustProxyHop": 1, "log": {"level": "info", "level": "warn"}, "rpc": {"timeoutMs": "x"}, "networks": {"celo-mainnet": {"chainId": 1, "upstreams": ["https://a.example/$KEY", 7]}},
      "payments": {"rails": [${JSON.stringify({ ...evmRail, receiver: ZERO_ADDRESS, rpcNetwork: 'nowhere' })}]}, "pricePerCreditUsd": "0"}`;
    const paths = faultsOf(file, {
      ...LIVE_ENV,
      TURNPIKE_DATADIR: '/x',
      SPEECH_UPSTREAM_KEY: 'k',
      HOST: '0.0.0.0',
    }).map((fault) => fault.slice(0, fault.indexOf(': ')));
    expect(paths.sort()).toEqual([
      'SPEECH_UPSTREAM_KEY',
      'TURNPIKE_DATADIR',
      'log.level',
      'networks.celo-mainnet.chainId',
      'networks.celo-mainnet.upstreams[0]',
      'networks.celo-mainnet.upstreams[1]',
      'payments.rails[0].receiver',
      'payments.rails[0].rpcNetwork',
      'pricePerCreditUsd',
      'publicUrls',
      'rpc.timeoutMs',
      'trustProxyHop',
    ]);
  });
});

describe('secrets stand in no sentence', () => {
  const SECRET = 's3cr3tV4lue0fTheOperator';

  it.each<[string, unknown, Record<string, string>]>([
    [
      'a key over http',
      live({ inference: { chatUpstreams: [{ name: 'a', url: `http://m.example/${SECRET}`, key: SECRET }] } }),
      {},
    ],
    ['an invalid URL', network('linea-mainnet', { upstreams: [`htp://x/${SECRET}`] }), {}],
    [
      'an invalid URL, from a variable',
      network('linea-mainnet', { upstreams: ['${LINEA}'] }),
      { LINEA: `wss://x/${SECRET}` },
    ],
    ['a private key in the place of the receiver', rails({ ...evmRail, receiver: `0x${SECRET}${'a'.repeat(30)}` }), {}],
    ['an invalid settling key', rails({ ...evmRail, facilitator: { privateKey: SECRET } }), {}],
    ['an invalid paying key', withdrawing([evmRail], { privateKey: SECRET }), {}],
    [
      'an invalid CDP key',
      rails({ ...evmRail, facilitator: { url: 'https://f.example', cdpApiKey: { id: SECRET, secret: SECRET } } }),
      {},
    ],
    ['a secret in a field of another type', live({ trustProxyHops: '${HOPS}' }), { HOPS: SECRET }],
    ['a secret that is too short', live({}), { TURNPIKE_SECRET: SECRET }],
    [
      'an upstream twice',
      network('linea-mainnet', { upstreams: [`https://l.example/${SECRET}`, `https://l.example/${SECRET}`] }),
      {},
    ],
    ['a database of another kind', live({}), { DATABASE_URL: `mysql://u:${SECRET}@db/x` }],
    ['a variable of an unknown network', live({}), { RPC_CELO_MAINNET: `https://c.example/${SECRET}` }],
    ['a misspelled variable', live({}), { TURNPIKE_SECRT: SECRET }],
    [
      'an invalid header',
      network('linea-mainnet', { upstreams: [{ url: 'https://l.example', headers: { 'x-key': `${SECRET}\n` } }] }),
      {},
    ],
  ])('%s', (_name, file, env) => {
    const faults = faultsOf(file, { ...goodEnv, ...env });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).not.toContain(SECRET);
  });

  it('of digits alone, which JSON may have as a number', () => {
    const faults = faultsOf(
      live({ inference: { chatUpstreams: [{ name: 'a', url: 'https://m.example', key: 482913 }] } }),
      goodEnv,
    );
    expect(faults.join('\n')).toContain('a number');
    expect(faults.join('\n')).not.toContain('482913');
  });
});

describe('what is good starts, without a warning', () => {
  it.each<[string, unknown, Record<string, string>]>([
    ['the sandbox with nothing', undefined, {}],
    [
      'withdrawals in the sandbox, which has its own rails',
      { payments: { withdrawals: { privateKey: `0x${'1'.repeat(64)}`, dailyUsdMax: 1 } } },
      { TURNPIKE_PROFILE: 'sandbox' },
    ],
    ['an empty object', {}, {}],
    ['a live file with everything', goodLive, goodEnv],
    [
      'live from the environment alone',
      undefined,
      {
        ...LIVE_ENV,
        RPC_ETHEREUM_MAINNET: 'https://a.example,https://b.example',
        PUBLIC_URL: 'https://rpc.example.com',
        HOST: '0.0.0.0',
      },
    ],
    [
      'models and keys from the environment',
      undefined,
      {
        ...LIVE_ENV,
        CHAT_UPSTREAM_URL: 'https://api.openai.com/v1',
        CHAT_UPSTREAM_KEY: 'k',
        SPEECH_UPSTREAM_URL: 'http://127.0.0.1:8880/v1',
      },
    ],
    [
      'prices that say "free"',
      live({
        pricePerCreditUsd: 'free',
        video: { pricePerSecondUsd: 'free' },
        inference: { prices: { inputUsdPerMillionTokens: 'free', outputUsdPerMillionTokens: 'free' } },
      }),
      goodEnv,
    ],
    [
      'shorter time-outs than the defaults of what lies within',
      live({ rpc: { timeoutMs: 300 }, video: { requestTimeoutMs: 1_000 }, speech: { failoverTimeoutMs: 1_000 } }),
      goodEnv,
    ],
    [
      'http with a secret on the loopback',
      network('linea-mainnet', {
        upstreams: [
          { url: 'http://127.0.0.1:8545', headers: { authorization: 'Bearer ${BASE_TOKEN}' } },
          'http://[::1]:8545/${BASE_TOKEN}',
        ],
      }),
      goodEnv,
    ],
    [
      'http without a secret to a private address',
      network('linea-mainnet', { upstreams: ['http://10.0.0.7:8545', 'http://erigon:8545'] }),
      goodEnv,
    ],
    [
      'one server for two chains, told apart by a header',
      live({
        payments: {},
        staking: {},
        networks: {
          'linea-mainnet': { upstreams: [{ url: 'https://n.example', headers: { 'x-chain': 'linea' } }] },
          'blast-mainnet': { upstreams: [{ url: 'https://n.example', headers: { 'x-chain': 'blast' } }] },
        },
      }),
      goodEnv,
    ],
    [
      'a token at an address that chains reserve',
      rails({ ...evmRail, token: { address: '0x0000000000000000000000000000000000001010' } }),
      goodEnv,
    ],
    ['a settling key', rails({ ...evmRail, facilitator: { privateKey: `0x${'1'.repeat(64)}` } }), goodEnv],
    ['withdrawals without a fee', withdrawing([evmRail], { feeUsd: 0 }), goodEnv],
    ['a byte order mark in front', `\ufeff${JSON.stringify(goodLive)}`, goodEnv],
    [
      'variables of other programs',
      undefined,
      { PATH: '/bin', HOSTNAME: 'x', RPCBIND: '1', LOG_FILE: 'x', UPSTREAM: 'y' },
    ],
  ])('%s', (_name, file, env) => {
    expect(faultsOf(file, env)).toEqual([]);
    expect(load(file, env).warnings).toEqual([]);
  });

  it('secrets and URLs in files, while files of other programs are not looked at', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'secret'), LIVE_SECRET);
    writeFileSync(join(folder, 'urls'), 'https://a.example,https://b.example\n');
    const env = {
      TURNPIKE_PROFILE: 'live',
      TURNPIKE_SECRET_FILE: join(folder, 'secret'),
      RPC_BASE_MAINNET_FILE: join(folder, 'urls'),
      SSL_CERT_FILE: '/nowhere/at-all',
      LOG_FILE: '/nowhere',
    };
    expect(faultsOf(undefined, env)).toEqual([]);
    const config = load(undefined, env);
    expect(config.warnings).toEqual([]);
    expect(config.networks['base-mainnet']?.upstreams).toHaveLength(2);
  });

  it('the file of the deployment, as its manifests set the variables', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../../deploy/turnpike.config.json'), 'utf8');
    expect(
      faultsOf(text, {
        ...LIVE_ENV,
        HOST: '0.0.0.0',
        PUBLIC_URL: 'https://turnpike.example',
        RPC_ETHEREUM_MAINNET: 'https://a.example',
      }),
    ).toEqual([]);
  });

  it('a price that says "free" is zero', () => {
    expect(load({ pricePerCreditUsd: 'free' }, {}).pricePerCreditUsd).toBe('0');
  });
});

describe('what is only doubtful is told, and starts', () => {
  it.each<[string, unknown, Record<string, string>, string]>([
    [
      'a receiver without its checksum',
      rails({ ...evmRail, receiver: EVM_RECEIVER.toLowerCase() }),
      {},
      'payments.rails[0].receiver',
    ],
    [
      'a receiver that nobody has a key of',
      rails({ ...solanaRail, receiver: '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw' }),
      {},
      'payments.rails[0].receiver',
    ],
    [
      'money of a test network',
      live({
        networks: { ...goodLive.networks, 'base-sepolia': { upstreams: ['https://s.example'] } },
        payments: { rails: [{ ...evmRail, network: 'eip155:84532', rpcNetwork: 'base-sepolia' }] },
      }),
      {},
      'payments.rails[0].network',
    ],
    [
      'http to a host of the internet',
      network('linea-mainnet', { upstreams: ['http://node.example.com'] }),
      {},
      'networks.linea-mainnet.upstreams[0]',
    ],
    [
      'a further network without an upstream',
      network('celo-mainnet', { chainId: 42_220 }),
      {},
      'networks.celo-mainnet',
    ],
    [
      'a silent server that is waited for until no other is asked',
      live({ inference: { firstByteTimeoutMs: 300_000 } }),
      {},
      'inference.firstByteTimeoutMs',
    ],
    [
      'a facilitator that is waited for longer than the payer',
      rails({ ...evmRail, facilitator: { url: 'https://f.example', timeoutMs: 60_000 } }),
      {},
      'payments.rails[0].facilitator.timeoutMs',
    ],
    ['a public URL in clear', live({ publicUrls: ['http://rpc.example.com'] }), {}, 'publicUrls[0]'],
    ['nothing to sell', { profile: 'live' }, {}, 'networks'],
    ['a variable that is nearly ours', goodLive, { PUBLIC_URLS: 'https://x.example' }, 'PUBLIC_URLS'],
    [
      'a sandbox that others reach, which does not know where',
      {},
      { TURNPIKE_PROFILE: 'sandbox', HOST: '0.0.0.0' },
      'publicUrls',
    ],
  ])('%s', (_name, file, env, path) => {
    const { warnings } = load(file, { ...goodEnv, ...env });
    expect(warnings.map((warning) => warning.slice(0, warning.indexOf(': ')))).toEqual([path]);
  });
});
