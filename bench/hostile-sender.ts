import { setTimeout as sleep } from 'node:timers/promises';
import { setPriority } from 'node:os';
import type { Target } from '@/attack/target';
import { ask } from '@/attack/wire/ask';
import { counted } from '@/attack/wire/burst';
import { HOG_KINDS, HOGS, HOSTILE, HOSTILE_KINDS, type HostileScene } from './hostile-requests';

/**
 * Priority of processes that represent remote machines: the attacker, and the node with large answers. They must not
 * take processor time from the gateway or its callers.
 */
export const ELSEWHERE_PRIORITY = 10;

/** Result that a sender reports at the end. */
export interface HostileResult {
  sent: number;
  statuses: string;
}

/**
 * Sends hostile requests from a separate process, so that the measuring process is not slowed. Reports `ready`, waits
 * for a message, sends the requests, and reports the result.
 */
export async function sendHostile(kind: string, sceneText: string): Promise<void> {
  setPriority(ELSEWHERE_PRIORITY);
  const scene = JSON.parse(sceneText) as HostileScene;
  const target: Target = {
    name: 'bench',
    url: scene.url,
    profile: 'live',
    key: scene.keys[0] ?? null,
    chains: null,
    own: null,
  };
  const make = await HOSTILE_KINDS[kind]?.(scene, target);
  if (!make) throw new Error(`There is no hostile request ${kind}.`);
  process.once('message', () => {
    void fire(target, make, HOG_KINDS.has(kind) ? HOGS : HOSTILE).then((result) => {
      process.send?.(result);
      process.disconnect();
    });
  });
  process.send?.({ port: 0 });
}

async function fire(
  target: Target,
  make: Awaited<ReturnType<(typeof HOSTILE_KINDS)[string]>>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<HostileResult> {
  const startedMs = performance.now();
  const statuses: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (
      let index = next++;
      index < HOSTILE.requests && performance.now() - startedMs < seconds * 1000;
      index = next++
    ) {
      const dueMs = (index * 1000) / perSecond - (performance.now() - startedMs);
      if (dueMs > 0) await sleep(dueMs);
      // Each request has a different client address, so that limits per address cannot stop the attack.
      statuses.push((await ask(target, { timeoutMs: HOSTILE.seconds * 1000, ...make(index) })).status);
    }
  };
  await Promise.all(Array.from({ length: HOSTILE.concurrency }, worker));
  return { sent: statuses.length, statuses: counted(statuses) };
}
