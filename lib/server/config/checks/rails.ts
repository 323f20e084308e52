import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { solanaClusterName } from '@/lib/protocol/chain-identities';
import { isSameAddress, isWalletFamily, type WalletFamily } from '@/lib/protocol/wallet-address';
import { networkMeant } from '@/lib/protocol/nearest-networks';
import {
  type ChainKind,
  findNetwork,
  type Network,
  NETWORKS,
  SANDBOX_TESTNET,
  upstreamVariable,
} from '@/lib/protocol/networks';
import { lacksChecksum, RECEIVER_FAULTS } from '../addresses';
import type { Faults, Findings } from '../faults';
import { fieldPath, itemsAt, membersAt, textAt, valueAt } from '../field-path';
import { meant } from '@/lib/protocol/nearest-name';
import { hasUpstream } from '../variables';
import type { SettingsView } from './view';

/** Group order of secp256k1 (SEC 2, section 2.4.1). */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Reports rails whose payments would be lost, go to a wrong receiver, or arrive on a chain other than the configured
 * one.
 */
export function checkRails(view: SettingsView, findings: Findings): void {
  const names = new Map<string, { network: string | undefined; path: string }>();
  itemsAt(view.settings, 'payments', 'rails').forEach((rail, index) => {
    const steps = ['payments', 'rails', index];
    checkReceiver(rail, steps, view, findings);
    checkChain(rail, steps, view, findings);
    checkFacilitator(rail, steps, findings);
    const [name, network] = [textAt(rail, 'name'), textAt(rail, 'network')];
    const before = name === undefined ? undefined : names.get(name);
    if (before && before.network !== network)
      findings.faults.set(
        fieldPath([...steps, 'name']),
        `is used twice, for two chains (also ${before.path}): payments that use this name would go to the first chain`,
      );
    else if (name !== undefined) names.set(name, { network, path: fieldPath([...steps, 'name']) });
  });
  checkWithdrawals(view, findings.faults);
}

function checkWithdrawals({ settings, isLive }: SettingsView, faults: Faults): void {
  for (const [family, name] of Object.entries(PAYING_KEYS) as [WalletFamily, string][]) {
    const key = textAt(settings, 'payments', 'withdrawals', name);
    if (key === undefined) continue;
    const path = `payments.withdrawals.${name}`;
    const { isOne, expected } = SETTLING_KEYS[family];
    if (!isOne(key))
      faults.set(path, `expected ${expected}; found a text of ${key.length} characters in another format`);
    // Checks only the live profile, because the sandbox adds its own rails.
    else if (isLive && !itemsAt(settings, 'payments', 'rails').some((rail) => familyOf(rail) === family))
      faults.set(path, `needs a rail of the family "${family}"`);
  }
}

const PAYING_KEYS: Readonly<Record<WalletFamily, string>> = { evm: 'privateKey', solana: 'solanaPrivateKey' };

function checkReceiver(
  rail: unknown,
  steps: readonly PropertyKey[],
  { settings }: SettingsView,
  { faults, warnings }: Findings,
): void {
  const receiver = textAt(rail, 'receiver');
  if (receiver === undefined) return;
  const path = fieldPath([...steps, 'receiver']);
  // The schema already reports an unknown family, so this check treats such a rail as EVM.
  const family = familyOf(rail) ?? 'evm';
  if (RECEIVER_FAULTS[family](receiver) !== null) return;
  const same = (other: string | undefined): boolean => other !== undefined && isSameAddress(family, other, receiver);
  itemsAt(settings, 'payments', 'rails').forEach((other, index) => {
    if (same(textAt(other, 'token', 'address')))
      faults.set(
        path,
        `is the token contract of payments.rails[${index}], so payments to it are lost: expected the address of your own wallet`,
      );
    itemsAt(other, 'walletFactories').forEach((factory, place) => {
      if (typeof factory === 'string' && same(factory))
        faults.set(
          path,
          `is payments.rails[${index}].walletFactories[${place}], which is a contract, so payments to it are lost: expected the address of your own wallet`,
        );
    });
  });
  itemsAt(settings, 'staking', 'deployments').forEach((deployment, index) => {
    for (const field of ['stakeToken', 'staking', 'dailyCreditToken', 'dailyCreditPool']) {
      if (same(textAt(deployment, field)))
        faults.set(
          path,
          `is ${field} of staking.deployments[${index}], which is a staking contract, so payments to it are lost: expected the address of your own wallet`,
        );
    }
  });
  const doubt = DOUBTS[family](receiver);
  if (doubt !== null) warnings.set(path, doubt);
}

/** For each wallet family, returns a warning about an unusual receiver; null for a usual one. */
const DOUBTS: Readonly<Record<WalletFamily, (receiver: string) => string | null>> = {
  evm: (receiver) =>
    lacksChecksum(receiver)
      ? 'has no checksum (EIP-55), so a mistyped digit would not be detected: write it in the mixed case that your wallet shows'
      : null,
  solana: (receiver) =>
    isOnCurve(receiver)
      ? null
      : 'is not a point of the curve, so no key exists for it. This is right for the vault of a program such as a multisig; otherwise a character is mistyped',
};

function familyOf(rail: unknown): WalletFamily | null {
  const family = textAt(rail, 'family');
  return isWalletFamily(family) ? family : null;
}

function isOnCurve(address: string): boolean {
  try {
    ed25519.Point.fromBytes(base58.decode(address), true);
    return true;
  } catch {
    return false;
  }
}

function checkChain(
  rail: unknown,
  steps: readonly PropertyKey[],
  view: SettingsView,
  { faults, warnings }: Findings,
): void {
  const slug = textAt(rail, 'rpcNetwork');
  if (slug === undefined) return;
  const path = fieldPath([...steps, 'rpcNetwork']);
  const network = networkOf(slug, view);
  if (!network) {
    const slugs = [...NETWORKS.map((each) => each.slug), ...membersAt(view.settings, 'networks').map(([each]) => each)];
    faults.set(
      path,
      `expected the slug of a network that is built in or under "networks", found ${JSON.stringify(slug.slice(0, 64))}${meant(slug, slugs) || networkMeant(slug, NETWORKS, '; did')}`,
    );
    return;
  }
  const said = textAt(rail, 'network');
  const is = caip2Of(network);
  if (said !== undefined && is !== null && said !== is) {
    const right = NETWORKS.find((each) => caip2Of(each) === said)?.slug;
    faults.set(
      path,
      `is ${network.slug}, whose chain is ${is}, but "network" is ${said.slice(0, 64)}: the gateway would look for payments on the wrong chain.${right ? ` Expected ${right}` : ` Expected the network of ${said.slice(0, 64)}`}`,
    );
  } else if (!isServed(network.slug, view)) {
    faults.set(path, noUpstream(network.slug));
  }
  if (view.isLive && network.testnet)
    warnings.set(
      fieldPath([...steps, 'network']),
      `is a test network: anyone can get its tokens for free and pay for real calls with them`,
    );
}

/** Reports staking deployments on networks without an upstream. */
export function checkStakingNetworks(view: SettingsView, faults: Faults): void {
  itemsAt(view.settings, 'staking', 'deployments').forEach((deployment, index) => {
    const slug = textAt(deployment, 'network');
    if (slug !== undefined && networkOf(slug, view) && !isServed(slug, view))
      faults.set(`staking.deployments[${index}].network`, noUpstream(slug));
  });
}

function noUpstream(slug: string): string {
  return `is ${slug}, which has no upstream: set ${upstreamVariable(slug)} to its URL, or networks.${slug}.upstreams`;
}

/** Whether the sandbox simulates the built-in networks of a kind of chain. */
const HAS_STAND_IN: Readonly<Record<ChainKind, boolean>> = { evm: true, solana: true, starknet: false };

function isServed(slug: string, { env, settings, isLive }: SettingsView): boolean {
  const builtIn = slug === SANDBOX_TESTNET.slug ? SANDBOX_TESTNET : findNetwork(slug);
  return hasUpstream(slug, env, settings) || (!isLive && builtIn !== undefined && HAS_STAND_IN[builtIn.kind]);
}

type Chain = Pick<Network, 'slug' | 'kind' | 'chainId' | 'testnet'>;

function networkOf(slug: string, { settings }: SettingsView): Chain | undefined {
  if (slug === SANDBOX_TESTNET.slug) return SANDBOX_TESTNET;
  const builtIn = findNetwork(slug);
  if (builtIn) return builtIn;
  const own = valueAt(settings, ['networks', slug]);
  if (typeof own !== 'object' || own === null) return undefined;
  const { chainId, kind = 'evm' } = own as { chainId?: unknown; kind?: Network['kind'] };
  return { slug, kind, chainId: typeof chainId === 'number' ? chainId : null, testnet: !slug.endsWith('-mainnet') };
}

function caip2Of({ slug, kind, chainId }: Chain): string | null {
  switch (kind) {
    case 'evm':
      return chainId === null ? null : `eip155:${chainId}`;
    case 'solana':
      return solanaClusterName(slug);
    case 'starknet':
      return `a ${kind} chain`;
  }
}

function checkFacilitator(rail: unknown, steps: readonly PropertyKey[], { faults, warnings }: Findings): void {
  const at = [...steps, 'facilitator'];
  const url = textAt(rail, 'facilitator', 'url');
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  const hasKey =
    valueAt(rail, ['facilitator', 'cdpApiKey']) !== undefined ||
    membersAt(rail, 'facilitator', 'headers').some(([name]) => name.toLowerCase() === 'authorization');
  if (/(^|\.)cdp\.coinbase\.com$/.test(host) && !hasKey)
    faults.set(
      fieldPath(at),
      'is the facilitator of Coinbase, which needs a key: set "cdpApiKey" with its "id" and "secret"',
    );
  if (
    /(^|\.)x402\.org$/.test(host) &&
    /^(eip155:(1|10|137|8453|42161)|solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp)$/.test(textAt(rail, 'network') ?? '')
  ) {
    warnings.set(
      fieldPath(at),
      'is the facilitator of x402.org, which settles only on test networks: `npm run admin -- doctor` checks it',
    );
  }
  checkSettlingKey(rail, [...at, 'privateKey'], faults);
  const secret = textAt(rail, 'facilitator', 'cdpApiKey', 'secret');
  if (secret && !secret.includes('-----BEGIN') && Buffer.from(secret, 'base64').length !== 64)
    faults.set(
      fieldPath([...at, 'cdpApiKey', 'secret']),
      'expected the Base64 of 64 bytes (an Ed25519 key), or a PEM with its -----BEGIN',
    );
}

function checkSettlingKey(rail: unknown, steps: readonly PropertyKey[], faults: Faults): void {
  const key = textAt(rail, 'facilitator', 'privateKey');
  if (key === undefined) return;
  const family = familyOf(rail);
  if (family === null) return;
  const { isOne, expected } = SETTLING_KEYS[family];
  if (!isOne(key))
    faults.set(fieldPath(steps), `expected ${expected}; found a text of ${key.length} characters in another format`);
}

const SETTLING_KEYS: Readonly<Record<WalletFamily, { expected: string; isOne: (key: string) => boolean }>> = {
  evm: {
    expected: 'a private key of secp256k1: 0x and 64 hexadecimal digits, not zero and below the order of the curve',
    isOne: (key) => /^0x[0-9a-fA-F]{64}$/.test(key) && BigInt(key) > 0n && BigInt(key) < SECP256K1_ORDER,
  },
  solana: {
    expected: 'a key of 32 or 64 bytes in base58',
    isOne: (key) => /^[1-9A-HJ-NP-Za-km-z]{20,100}$/.test(key) && [32, 64].includes(base58.decode(key).length),
  },
};
