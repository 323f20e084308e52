import { type Extent, type Fault, NotMade, type Seen, type Stage } from './fault';

export interface Outcome {
  fault: string;
  seen: Seen | null;
  /** Condition that did not hold. */
  error: string | null;
  /** Reason why this machine cannot produce the fault. */
  notMade: string | null;
}

/** Produces a fault, then ends everything that was started for it. */
export async function make(fault: Fault, extent: Extent): Promise<Outcome> {
  const ends: (() => unknown)[] = [];
  const stage: Stage = { ...extent, track: (thing, end) => (ends.push(() => end(thing)), thing) };
  const outcome: Outcome = { fault: fault.name, seen: null, error: null, notMade: null };
  try {
    outcome.seen = await fault.run(stage);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome[error instanceof NotMade ? 'notMade' : 'error'] = message;
  } finally {
    for (const end of ends.reverse()) await ended(end);
  }
  return outcome;
}

async function ended(end: () => unknown): Promise<void> {
  try {
    await end();
  } catch (error) {
    process.stderr.write(`a program of this fault could not be ended: ${String(error)}\n`);
  }
}

/** Formats an outcome as one line. */
export function told({ fault, error, notMade }: Outcome): string {
  if (notMade !== null) return `${fault}: NOT MADE: ${notMade}`;
  return error === null ? `${fault}: held` : `${fault}: DID NOT HOLD: ${error}`;
}

/** Formats outcomes as the runbook's table. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) => {
    const { fault, seen } = outcome;
    return `| \`${fault}\` | ${seen ? `${seen.callers} | ${seen.charged} | ${seen.operator} | ${seen.ends}` : `${told(outcome).slice(fault.length + 2)} | | |`} |\n`;
  });
  return `| fault | callers see | charged is | the operator sees | it ends |\n|---|---|---|---|---|\n${rows.join('')}`;
}
