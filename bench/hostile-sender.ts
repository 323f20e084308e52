import { setTimeout as sleep } from 'node:timers/promises';
import { setPriority } from 'node:os';
import type { Target } from '@/attack/target';
import { ask } from '@/attack/wire/ask';
import { counted } from '@/attack/wire/burst';
import { HOG_KINDS, HOGS, HOSTILE, HOSTILE_KINDS, type HostileScene } from './hostile-requests';

/**
 * The priority of processes that stand for machines elsewhere, the attacker's and the node's that he asks for much: what
 * they do with a megabyte is not to take the processors from the gateway and who waits for it.
 */
export const ELSEWHERE_PRIORITY = 10;

/** What a sender says when it is through. */
export interface HostileResult {
  sent: number;
  statuses: string;
}

/** Sends hostile requests from a process of its own, so that whoever measures beside it is not slowed: says `ready`, waits for a word, and tells what came. */
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
      // Each comes from an address of its own: limits by address help least then.
      statuses.push((await ask(target, { timeoutMs: HOSTILE.seconds * 1000, ...make(index) })).status);
    }
  };
  await Promise.all(Array.from({ length: HOSTILE.concurrency }, worker));
  return { sent: statuses.length, statuses: counted(statuses) };
}
