import {
  askSettings,
  askStakingPool,
  type GatewaySettings,
  listNetworks,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';
import { askOfferedModels, OFFERED_MODELS_KEY } from './ask-offered-models';
import { CHAT_MODELS_KEY } from './chat/chat-models-key';
import { STAKING_POOL_KEY } from './staking/staking-pool-key';

/** What the server knows of its gateway while it renders a page; null where it did not know in time. */
export interface KnownFacts {
  settings: GatewaySettings | null;
  /** Slugs of the networks it lists. */
  networks: readonly string[] | null;
}

/** A page does not wait longer for what its browser can ask as well. */
const WAIT_MS = 150;

/** Asks for all of it at once. Never rejects. */
export async function askKnownFacts(options: TurnpikeClientOptions): Promise<KnownFacts> {
  const [settings, networks] = await Promise.all([inTime(askSettings(options)), inTime(listNetworks(options))]);
  return { settings, networks };
}

/** What is known by its key in the browser's cache; null where it is not. */
export type KnownData = readonly (readonly [key: readonly string[], data: unknown])[];

/** What money buys, for pages that say so. Never rejects. */
export async function askKnownPrices(options: TurnpikeClientOptions): Promise<KnownData> {
  return [[OFFERED_MODELS_KEY, await inTime(askOfferedModels(options))]];
}

/** Who can be asked. Never rejects. */
export async function askKnownChatModels(options: TurnpikeClientOptions): Promise<KnownData> {
  return [[CHAT_MODELS_KEY, await inTime(listChatModels(options))]];
}

/** What a stake gives, and what that buys. Never rejects. */
export async function askKnownStaking(options: TurnpikeClientOptions): Promise<KnownData> {
  const [prices, pool] = await Promise.all([askKnownPrices(options), inTime(askStakingPool(options))]);
  return [...prices, [STAKING_POOL_KEY, pool]];
}

function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));
  return Promise.race([asked.catch(() => null), late]);
}
