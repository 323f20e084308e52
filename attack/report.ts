import type { Attack } from './attack';
import type { Outcome } from './run';

const LABELS = { held: 'HELD', 'not held': 'NOT HELD', 'not applicable': 'NOT APPLICABLE' } as const;
const LABEL_WIDTH = 14;

/** Renders one outcome on two lines: the attack and its result. */
export function renderOutcome({ id, title, outcome, evidence, elapsedMs }: Outcome): string {
  const seconds = outcome === 'not applicable' ? '' : ` [${(elapsedMs / 1000).toFixed(1)} s]`;
  return `${LABELS[outcome].padEnd(LABEL_WIDTH)}  ${id}: ${title}\n${' '.repeat(LABEL_WIDTH)}  ${evidence}${seconds}\n`;
}

/** Returns the number of outcomes of each kind, and a summary line. */
export function renderSummary(outcomes: readonly Pick<Outcome, 'outcome'>[]): {
  counts: { held: number; notHeld: number; notApplicable: number };
  line: string;
} {
  const count = (outcome: Outcome['outcome']): number => outcomes.filter((each) => each.outcome === outcome).length;
  const counts = { held: count('held'), notHeld: count('not held'), notApplicable: count('not applicable') };
  return { counts, line: `${counts.held} held, ${counts.notHeld} not held, ${counts.notApplicable} not applicable` };
}

export function renderList(attacks: readonly Attack[]): string {
  const width = Math.max(...attacks.map(({ id }) => id.length));
  return attacks
    .map(({ id, title, isQuick }) => `${id.padEnd(width)}  ${isQuick ? 'quick' : '     '}  ${title}\n`)
    .join('');
}
