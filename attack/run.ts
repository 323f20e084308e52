import { type Attack, type Need, notApplicable, notHeld, type Verdict } from './attack';
import type { Target } from './target';
import { ask } from './wire/ask';

export interface Outcome extends Verdict {
  id: string;
  title: string;
  target: string;
  elapsedMs: number;
}

/** Default timeout, longer than any attack takes. */
const ATTACK_TIMEOUT_MS = 180_000;
const HEALTH_TIMEOUT_MS = 10_000;

/** Kinds of target that only attacks with the matching need may attack. */
const APART = [
  { need: 'verifier', profile: 'verifier' },
  { need: 'client', profile: 'client' },
  { need: 'lying upstreams', profile: 'lied-to' },
] as const;

/**
 * Runs attacks on a target one after another, because some measure their effect on other callers. Targets in `APART`
 * get only the attacks made for them.
 */
export async function runAttacks(
  attacks: readonly Attack[],
  target: Target,
  onOutcome: (outcome: Outcome) => void,
  onStart: (attack: Attack) => void = () => undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const attack of attacks.filter(({ needs }) =>
    APART.every(({ need, profile }) => needs.includes(need) === (target.profile === profile)),
  )) {
    onStart(attack);
    const startedMs = performance.now();
    const verdict = await withGatewayAlive(await runAttack(attack, target), target);
    const outcome = {
      id: attack.id,
      title: attack.title,
      target: target.name,
      ...verdict,
      evidence: oneLine(verdict.evidence),
      elapsedMs: performance.now() - startedMs,
    };
    outcomes.push(outcome);
    onOutcome(outcome);
  }
  return outcomes;
}

async function runAttack(attack: Attack, target: Target): Promise<Verdict> {
  const missing = attack.needs.find((need) => !has(target, need));
  if (missing) return notApplicable(REASONS[missing]);
  const { timeoutMs = ATTACK_TIMEOUT_MS } = attack;
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(notHeld(`it did not end within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  // An attack that throws proves nothing, so it must not count as held.
  const tried = attack
    .run(target)
    .catch((error: unknown) =>
      notHeld(`the attack broke off: ${error instanceof Error ? error.message : String(error)}`),
    );
  return Promise.race([tried, overdue]).finally(() => clearTimeout(timer));
}

/** Changes the verdict to `not held` if the gateway no longer answers. */
async function withGatewayAlive(verdict: Verdict, target: Target): Promise<Verdict> {
  if (verdict.outcome === 'not applicable' || target.profile === 'verifier' || target.profile === 'client')
    return verdict;
  const { status } = await ask(target, { path: '/api/health', timeoutMs: HEALTH_TIMEOUT_MS });
  if (status === 200) return verdict;
  await target.own?.restart();
  return notHeld(`the gateway no longer answers${target.own ? ' and was started again' : ''}; ${verdict.evidence}`);
}

const REASONS: Record<Need, string> = {
  chains: 'there is no stand-in chain to pay on',
  'chain control': 'this program cannot rewrite the chain',
  key: 'there is no API key: --key gives one',
  'own gateway': 'only the process that started the gateway can see it',
  'live limits': 'the sandbox profile has its own limits and confirmations',
  'settles itself': 'a remote facilitator settles',
  'remote facilitator': 'the gateway does not settle through this program',
  verifier: 'it is not the verifier',
  client: 'it is not the client',
  'lying upstreams': 'this program does not simulate its upstreams',
};

function has({ profile, key, chains, own, client, liedTo }: Target, need: Need): boolean {
  switch (need) {
    case 'chains':
      return chains !== null;
    case 'chain control':
      return chains?.canControl === true;
    case 'key':
      return key !== null;
    case 'own gateway':
      return own !== null;
    case 'live limits':
      return own !== null && profile === 'live';
    case 'settles itself':
      return own?.settlers != null;
    case 'remote facilitator':
      return own?.facilitator != null;
    case 'verifier':
      return profile === 'verifier';
    case 'client':
      return client !== undefined;
    case 'lying upstreams':
      return liedTo !== undefined;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 400);
}
