import {
  askSettings,
  askStakingPool,
  createTurnpikeClient,
  type GatewaySettings,
  listNetworks,
  type TurnpikeClientOptions,
} from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';
import { askOfferedModels, OFFERED_MODELS_KEY } from './ask-offered-models';
import { CHAT_MODELS_KEY, STAKING_POOL_KEY } from './known-keys';

/** Data that the server knows when it renders a page. A member is null if its data was late. */
export interface KnownFacts {
  settings: GatewaySettings | null;
  networks: readonly string[] | null;
}

/** Maximum wait during rendering. The browser can read late data itself. */
const WAIT_MS = 150;

export async function askKnownFacts(options: TurnpikeClientOptions): Promise<KnownFacts> {
  const [settings, networks] = await Promise.all([inTime(askSettings(options)), inTime(listNetworks(options))]);
  return { settings, networks };
}

/** Data by query key; null if unknown. */
export type KnownData = readonly (readonly [key: readonly string[], data: unknown])[];

/** Reads the prices for pages that show what money buys. Never rejects. */
export async function askKnownPrices(options: TurnpikeClientOptions): Promise<KnownData> {
  return [[OFFERED_MODELS_KEY, await inTime(askOfferedModels(options))]];
}

export async function askKnownChatModels(options: TurnpikeClientOptions): Promise<KnownData> {
  return [[CHAT_MODELS_KEY, await inTime(listChatModels(options))]];
}

export async function askKnownStaking(options: TurnpikeClientOptions): Promise<KnownData> {
  const [prices, pool] = await Promise.all([askKnownPrices(options), inTime(askStakingPool(options))]);
  return [...prices, [STAKING_POOL_KEY, pool]];
}

export function askKnownDescription(options: TurnpikeClientOptions): Promise<unknown> {
  return inTime(createTurnpikeClient(options).description());
}

function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));
  return Promise.race([asked.catch(() => null), late]);
}
