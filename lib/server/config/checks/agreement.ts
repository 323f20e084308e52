import { findNetwork } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod, type RpcMethod } from '@/lib/protocol/rpc-methods';
import type { Findings } from '../faults';
import { itemsAt, membersAt, textAt, valueAt } from '../field-path';
import { upstreamCount } from '../variables';
import type { SettingsView } from './view';

/** Default `baseCredits` of networks that are not built in. */
const BASE_CREDITS = 20;
/** With more base credits than this, a batch's cost in nano-USD could exceed the largest safe integer. */
const CREDITS_MAX = 10_000;

/**
 * Reports impossible or ambiguous settings of `agreement`. A network with this setting sends calls of the listed
 * methods to several upstreams.
 */
export function checkAgreements({ settings, env }: SettingsView, { faults, warnings }: Findings): void {
  const extra = new Map(
    itemsAt(settings, 'rpc', 'extraMethods').flatMap((method): [string, RpcMethod][] => {
      const name = textAt(method, 'name');
      return name === undefined ? [] : [[name, { ...(method as RpcMethod), family: 'extra' }]];
    }),
  );
  for (const [slug, network] of membersAt(settings, 'networks')) {
    const agreement = valueAt(network, ['agreement']);
    if (typeof agreement !== 'object' || agreement === null) continue;
    const path = `networks.${slug}.agreement`;
    const {
      nodes = 3,
      agreeing = 2,
      priceMultiplier = nodes,
    } = agreement as { nodes?: unknown; agreeing?: unknown; priceMultiplier?: unknown };
    if (typeof nodes !== 'number' || typeof agreeing !== 'number') continue;
    const upstreams = upstreamCount(slug, env, settings);
    if (nodes > upstreams)
      faults.set(
        `${path}.nodes`,
        `is ${nodes}, but ${slug} has ${upstreams === 1 ? 'one upstream' : `${upstreams} upstreams`}: expected at most ${upstreams}`,
      );
    if (agreeing > nodes)
      faults.set(
        `${path}.agreeing`,
        `is ${agreeing}, but only ${nodes} upstreams are asked: expected at most ${nodes}`,
      );
    else if (agreeing * 2 <= nodes)
      warnings.set(
        `${path}.agreeing`,
        `is not a majority of ${nodes}: two different answers can each have enough upstreams, and the first one wins`,
      );
    const baseCredits = findNetwork(slug)?.baseCredits ?? valueAt(network, ['baseCredits']) ?? BASE_CREDITS;
    if (
      typeof priceMultiplier === 'number' &&
      typeof baseCredits === 'number' &&
      baseCredits * priceMultiplier > CREDITS_MAX
    )
      faults.set(
        `${path}.priceMultiplier`,
        `makes a call cost more than ${CREDITS_MAX} credits (base credits: ${baseCredits}): expected a smaller value`,
      );
    checkMethods(
      itemsAt(agreement, 'methods'),
      { path: `${path}.methods`, kind: findNetwork(slug)?.kind ?? textAt(network, 'kind') ?? 'evm', extra },
      faults,
    );
  }
}

function checkMethods(
  methods: readonly unknown[],
  { path, kind, extra }: { path: string; kind: string; extra: ReadonlyMap<string, RpcMethod> },
  faults: Findings['faults'],
): void {
  methods.forEach((name, index) => {
    if (typeof name !== 'string') return;
    const method = lookUpMethod(name, extra);
    const at = `${path}[${index}]`;
    if (methods.indexOf(name) < index) faults.set(at, 'is listed twice: remove one');
    else if (isRefusal(method))
      faults.set(
        at,
        `is ${JSON.stringify(name.slice(0, 40))}, which the gateway does not serve: expected a method of the network, or one of rpc.extraMethods`,
      );
    else if (method.kind !== kind)
      faults.set(at, `is ${name}, which belongs to a different chain family than the network`);
    else if (method.sends) faults.set(at, `is ${name}, which sends a transaction: expected a method that only reads`);
  });
}
